/** The half of a plugin on the host's main thread: it adds methods to the server object and answers questions. */
import type { PortHandler } from '../port.ts';
import { serverErrors } from './errors.ts';
import type { Facts } from './wire.ts';

/** The way from the host's main thread to the server. */
export interface ServerLink {
  /** Calls an operation; sent at once when the server runs. What it registers resolves with a disposer. */
  call<T = void>(name: string, input?: unknown): Promise<T>;
  /** Answers a question of the server. */
  answer(question: string, handler: PortHandler): void;
  /** Whether the server was closed: nothing is sent any more, and what was registered is forgotten. */
  ended(): boolean;
}

// biome-ignore lint/complexity/noBannedTypes: a half that adds nothing adds no member
type Nothing = {};

export interface HostHalf<Methods extends object = Nothing, Fields extends object = Nothing> {
  /** The plugin that brings `operations`: it is named when it is off. */
  plugin: string;
  operations?: readonly string[];
  /** Members of the server object. */
  open?(link: ServerLink): Methods;
  /** Members of the service object, read from what the server told. */
  service?(facts: Readonly<Facts>): Fields;
  /** Halves that stand in this one. */
  parts?: readonly HostHalf<object, object>[];
}

type Union = HostHalf<object, object>;
type Both<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer All) => void ? All : never;
type MethodsOf<H> = H extends { open(link: ServerLink): infer M } ? M : Nothing;
type FieldsOf<H> = H extends { service(facts: Readonly<Facts>): infer F } ? F : Nothing;
export type AllMethods<H extends readonly Union[]> = Both<MethodsOf<H[number]>>;
export type AllFields<H extends readonly Union[]> = Both<FieldsOf<H[number]>>;

/** One half whose method `name` gives what `parts` add. */
export function under<N extends string, const P extends readonly Union[]>(name: N, ...parts: P) {
  const open = (link: ServerLink) => {
    const members: object = Object.assign({}, ...parts.map(part => part.open?.(link)));
    return { [name]: () => members } as Record<N, () => AllMethods<P>>;
  };
  return { plugin: name, parts, open } satisfies HostHalf<object, object>;
}

/** A copy that can cross; what is not JSON is refused here. */
export function plainCopy<T>(argument: string, value: T): T {
  try {
    return JSON.parse(JSON.stringify(value)) as T;
  } catch (error) {
    throw wrongArgument(argument, 'plain JSON', error);
  }
}

export const wrongArgument = (argument: string, expected: string, cause?: unknown): Error =>
  serverErrors.INVALID_ARGUMENT({ problem: `${argument} must be ${expected}`, field: argument }, cause);
