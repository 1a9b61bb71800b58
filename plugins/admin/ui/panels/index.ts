/** The panels of the page, in the order of their list. A new one is a folder here and a line below. */
import type { Panel } from '../shell/panel.ts';
import { instances } from './instances/index.tsx';
import { overview } from './overview/index.tsx';

export const panels: readonly Panel[] = [overview, instances];
