/** What crosses between the host's main thread and the server, and the names of the port's methods. */
import type { Environment } from '../../schemas/variables.ts';

/** Everything a server is made from; cloneable, so that it can cross to the server thread. */
export interface CoreInput {
  options: object;
  env: Environment;
  /** Contents of the config file. */
  file: object;
  /** Where it was read. */
  configFile?: string | undefined;
  resolveFrom: readonly string[];
}

export interface OperationCall {
  name: string;
  input: unknown;
}

/** What an operation gave: a value, or the number under which it is undone. */
export type Answer = { value: unknown } | { undo: number };

/** What the service object tells, by name. */
export type Facts = Record<string, unknown>;

/** Question by which the server tells facts of the service: as it starts, and when they change. */
export const factsQuestion = 'service';

/** Methods of the server's side; those of the host's side are the questions that its halves answer. */
export interface ThreadMethods {
  call(call: OperationCall): Promise<Answer>;
  undo(id: number): Promise<void>;
  /** Listens. */
  start(): Promise<void>;
  close(): Promise<void>;
  /** The host failed at something it was told. */
  failed(failure: { question: string; message: string }): void;
}
