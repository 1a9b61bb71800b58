/** What the transparent proxy may use of an instance that is reached over HTTP: requests as they are, bytes both ways. */
import type { Readable } from 'node:stream';
import type { Failure } from '../failure.ts';

export interface HopRequest {
  method: string;
  path: string;
  /** Names and values in turns. */
  headers: string[];
  body: Buffer | Readable | null;
}

/** Takes an answer as it comes. */
export interface HopHandler {
  onConnect(abort: () => void): void;
  /** Names and values of `headers` in turns. */
  onHeaders(status: number, headers: Buffer[], resume: () => void): boolean;
  /** False holds the instance back until `resume`. */
  onData(chunk: Buffer): boolean;
  onComplete(): void;
  onError(error: Error): void;
}

export interface HttpHop {
  /** Path of the instance's MCP endpoint. */
  readonly path: string;
  /** What lasts as long as its client goes over other connections than calls. May throw for what cannot be sent. */
  dispatch(request: HopRequest, handler: HopHandler, lasting: boolean): void;
  failureOf(error: Error): Failure;
}
