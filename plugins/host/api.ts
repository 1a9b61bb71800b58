/** Tools whose handlers live on the host's main thread: what handlers and other parts may know of them. */
import type { Disposer } from '../../kernel/light.ts';
import type { Asking } from '../../schemas/asking.ts';
import type { ToolDefinition } from '../../schemas/tool.ts';
import type { ToolCall } from '../tools/api.ts';

/** What a host handler knows of its call and may ask its client, in either spawn mode. */
export type HostCall = Pick<
  ToolCall,
  'requestId' | 'meta' | 'deadline' | 'signal' | 'progress' | 'log' | 'closeStream' | keyof Asking
>;

/**
 * A handler on the host's main thread. Receives decoded arguments; returns a value that JSON can carry, a promise of
 * one, or throws: the message of what it throws reaches the caller.
 */
export type HostHandler = (args: Record<string, unknown>, call: HostCall) => unknown;

/** Runs the handler registered under `key`: in place, or across a port. */
export interface HostRunner {
  run(key: number, args: Record<string, unknown>, call: ToolCall): unknown;
}

export interface HostToolsService {
  /** Publishes a tool of the host; `key` names its handler, undefined means visible but not executable. */
  register(definition: ToolDefinition, key: number | undefined): Disposer;
  /** Attaches the handler `key` to a tool by name. */
  attach(name: string, key: number): Disposer;
}
