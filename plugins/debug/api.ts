/** What other plugins may use of the debug reads: reads of their own, answered as those here. */
import type { FastifyRequest } from 'fastify';
import type { Json } from '../../schemas/loose.ts';

export interface Read {
  /** Below each place where the reads stand. */
  path: string;
  summary: string;
  /** Names of its query; all others are refused. */
  parameters?: readonly string[];
  answer(query: Json, request: FastifyRequest): Json | Text | Promise<Json | Text>;
}

/** An answer that is a file, whatever encoding is asked for. */
export interface Text {
  text: string;
  type: string;
}

export interface DebugReadsService {
  /** Adds reads below `/v1/debug` and, where there is an admin page, its interface; before the server listens. */
  mount(reads: readonly Read[]): void;
}

declare module 'fastify' {
  interface FastifyInstance {
    debug: DebugReadsService;
  }
}
