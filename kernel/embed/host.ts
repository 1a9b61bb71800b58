/**
 * `app.host`: what a server and the host that embeds it do for each other, by names that only plugins know. In a program
 * without a host, nobody calls the operations and nobody answers.
 */
import type { Static, TSchema } from 'typebox';
import type { PortCallOptions } from '../port.ts';
import type { JsonSchema, Schemas } from '../schema.ts';
import type { Disposer } from '../scope.ts';
import { serverErrors } from './errors.ts';
import { type Answer, type Facts, factsQuestion, type OperationCall } from './wire.ts';

/** The type that a schema made with TypeBox describes; of another schema nothing is known. */
type InputOf<S> = S extends TSchema ? Static<S> : Record<string, unknown>;

/** The way to the host. */
export interface HostLink {
  /** The host's own thread is this one: what is asked runs at once, and values go as they are. */
  readonly inPlace: boolean;
  /** The answer or a promise of it; in place, what throws throws here. */
  ask(question: string, payload: unknown, options?: PortCallOptions): unknown;
  tell(question: string, payload: unknown): unknown;
}

type Work = (facts: Readonly<Facts>) => Facts | undefined | Promise<Facts | undefined>;

/** The host as the embedding itself uses it. */
export type OwnHost = ReturnType<typeof createHost>;
/** `app.host`. */
export type Host = Omit<OwnHost, 'call' | 'undo' | 'run'>;

interface Operation {
  schema: JsonSchema;
  handler(input: unknown): unknown;
}

/** Where no host is: asking fails, telling is heard by nobody. */
export const noHost: HostLink = {
  inPlace: true,
  ask: question => {
    throw serverErrors.NO_HOST({ question });
  },
  tell: () => undefined,
};

export function createHost(link: HostLink, schemas: Schemas, timeoutMs: number) {
  const operations = new Map<string, Operation>();
  const undos = new Map<number, Disposer>();
  const works = new Set<Work>();
  const facts: Facts = {};
  let lastUndo = 0;

  const tell: HostLink['tell'] = (question, payload) => link.tell(question, payload);
  /** Facts of the service that changed. */
  const report = (changed: Facts | undefined): void => {
    Object.assign(facts, changed);
    if (changed) tell(factsQuestion, changed);
  };

  return {
    inPlace: link.inPlace,
    /** One way. */
    tell,
    report,
    /** Asks the host's main thread, by default for at most `request_timeout_ms`; rejects with errors of the table. */
    ask: ((question, payload, { timeoutMs: own = timeoutMs, signal, onEvent } = {}) =>
      link.ask(question, payload, { timeoutMs: own, signal, onEvent })) as HostLink['ask'],

    /**
     * Adds what the embedding host calls as `server.operation(name, input)`. `schema` is that of its one cloneable input.
     * What `handler` gives is sent; a function is kept instead, and the host gets a disposer that runs it.
     */
    operation<const S extends object>(name: string, schema: S, handler: (input: InputOf<S>) => unknown): Disposer {
      if (operations.has(name)) throw serverErrors.OPERATION_DUPLICATE({ operation: name });
      const added = { schema: schema as JsonSchema, handler: handler as Operation['handler'] };
      operations.set(name, added);
      return () => {
        if (operations.get(name) === added) operations.delete(name);
      };
    },

    /** Part of `server.start()`, in the order of the plugins; gets the facts of the service so far and may give more. */
    start(work: Work): Disposer {
      works.add(work);
      return () => void works.delete(work);
    },

    async call({ name, input }: OperationCall): Promise<Answer> {
      const operation = operations.get(name);
      if (!operation) throw unknownOperation(name, [...operations.keys()]);
      // Compiled when first needed: a start pays for none.
      const [problem] = schemas.compile(operation.schema, 'own')(input) ?? [];
      if (problem) throw serverErrors.INVALID_ARGUMENT({ problem: problem.message, field: problem.field });
      const value = await operation.handler(input);
      if (typeof value !== 'function') return { value };
      lastUndo += 1;
      undos.set(lastUndo, value as Disposer);
      return { undo: lastUndo };
    },

    async undo(id: number): Promise<void> {
      const undo = undos.get(id);
      undos.delete(id);
      await undo?.();
    },

    /** Runs what is part of the start. */
    async run(): Promise<void> {
      for (const work of works) report(await work(facts));
    },
  };
}

function unknownOperation(operation: string, names: readonly string[]): Error {
  const start = operation.slice(0, 4).toLowerCase();
  const near = names.filter(each => each.toLowerCase().includes(start));
  return serverErrors.OPERATION_UNKNOWN({ operation, known: [...(near.length > 0 ? near : names)].sort().join(', ') });
}
