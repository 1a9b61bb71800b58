import type { Heard } from './judge.ts';

export function tap(report: (heard: Heard) => void): () => void;
