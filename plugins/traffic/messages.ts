/** The tool calls in what passes the doors: JSON-RPC messages, alone, in batches or in event streams, and the bodies of REST. */
import { decode } from '@toon-format/toon';
import { createParser } from 'eventsource-parser';
import { isObject, type Json, parsed } from '../../schemas/loose.ts';

export type Door = 'mcp' | 'rest';
export type CallId = string | number | null;

/** One call in a request. */
export interface CallMessage {
  readonly id: CallId;
  readonly data: unknown;
}

const restDoors = /^\/v1\/(?:call|call_batch|dcc\/[^/]+\/instances\/[^/]+\/call)$/;

/** By which door a request comes; nothing for one that brings no calls. `endpoint` is that of MCP. */
export function doorOf(method: string | undefined, path: string, endpoint: string): Door | undefined {
  if (method !== 'POST') return undefined;
  if (restDoors.test(path)) return 'rest';
  return path === endpoint || path.startsWith(`${endpoint}/`) || path.startsWith('/mcp/') ? 'mcp' : undefined;
}

/** The calls of a request. What is no JSON is a call over REST, and none over MCP. */
export function callsIn(door: Door, text: string): CallMessage[] {
  if (door === 'rest') return [{ id: null, data: parsed(text) ?? text }];
  // Most of what comes is read again only if it can be a call.
  if (!text.includes('tools') || !text.includes('call')) return [];
  const value = parsed(text);
  const messages = Array.isArray(value) ? value : [value];
  return messages.filter(isCall).map(data => ({ id: idOf(data), data }));
}

const isCall = (message: unknown): message is Json => isObject(message) && message.method === 'tools/call';

const idOf = ({ id }: Json): CallId => (typeof id === 'string' || typeof id === 'number' ? id : null);

/** An answer: what it says to each id, or for REST and for a refusal of the whole request what it says at all. */
export interface AnswerText {
  readonly type: string;
  readonly text: string;
}

/** The answer to each of `ids`, in their order; undefined where none came. */
export function answersIn(door: Door, answer: AnswerText, ids: readonly CallId[]): unknown[] {
  if (door === 'rest') return [readText(answer)];
  const value = answer.type.startsWith('text/event-stream') ? eventsIn(answer.text) : readText(answer);
  const messages = Array.isArray(value) ? value : [value];
  const found = ids.map(id => messages.find(each => isObject(each) && !('method' in each) && idOf(each) === id));
  // A refusal of the request as a whole names no call.
  return found.some(each => each !== undefined) || Array.isArray(value) ? found : ids.map(() => value);
}

function eventsIn(text: string): unknown[] {
  const messages: unknown[] = [];
  const parser = createParser({ onEvent: ({ data }) => void (data !== '' && messages.push(parsed(data))) });
  parser.feed(text);
  parser.reset({ consume: true });
  return messages;
}

function readText({ type, text }: AnswerText): unknown {
  if (text === '') return undefined;
  if (!type.startsWith('application/toon')) return parsed(text) ?? text;
  try {
    // What it says is what is looked for in captures, and what is compared when they are sent again.
    return decode(text);
  } catch {
    return text;
  }
}
