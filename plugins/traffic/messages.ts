/** The tool calls in what passes the doors: JSON-RPC messages, alone, in batches or in event streams, and the bodies of REST. */
import { decode } from '@toon-format/toon';
import { createParser } from 'eventsource-parser';
import { isObject, type Json, parsed } from '../../schemas/loose.ts';

export type Door = 'mcp' | 'rest';
export type CallId = string | number | null;

/** What is said in a body: its value, and where that is so its very text, as JSON. */
export interface Said {
  readonly data: unknown;
  readonly json: string | undefined;
}

/** One call in a request. */
export interface CallMessage extends Said {
  readonly id: CallId;
}

const restDoors = /^\/v1\/(?:call|call_batch|dcc\/[^/]+\/instances\/[^/]+\/call)$/;

/** By which door a POST comes; nothing for one that brings no calls. `endpoint` is that of MCP. */
export function doorOf(path: string, endpoint: string): Door | undefined {
  if (path === endpoint || path.startsWith(`${endpoint}/`) || path.startsWith('/mcp/')) return 'mcp';
  return restDoors.test(path) ? 'rest' : undefined;
}

/** A quick look: most of what comes over MCP is none. */
export function bringsCalls(door: Door, body: { whole(): Buffer | string }): boolean {
  if (door === 'rest') return true;
  const text = body.whole();
  return text.includes('tools') && text.includes('call');
}

/**
 * The calls of a request. What is no JSON is a call over REST, and none over MCP. `id` is that of a call which the gateway
 * has read in it: where the text is one message, it is that call, and need not be read again.
 */
export function callsIn(door: Door, text: string, id?: CallId): CallMessage[] {
  if (id !== undefined && text.startsWith('{') && text.includes('"method":"tools/call"')) {
    return [{ id, data: undefined, json: text }];
  }
  const value = parsed(text);
  if (door === 'rest') return [{ id: null, ...whole(value, text) }];
  if (!Array.isArray(value)) return isCall(value) ? [{ id: idOf(value), data: value, json: text }] : [];
  return value.filter(isCall).map(data => ({ id: idOf(data), data, json: undefined }));
}

/** A text that may be JSON, read. */
const whole = (value: unknown, text: string): Said =>
  value === undefined ? { data: text, json: undefined } : { data: value, json: text };

const isCall = (message: unknown): message is Json => isObject(message) && message.method === 'tools/call';

const idOf = ({ id }: Json): CallId => (typeof id === 'string' || typeof id === 'number' ? id : null);

/** An answer: what it says to each id, or for REST and for a refusal of the whole request what it says at all. */
export interface AnswerText {
  readonly type: string;
  readonly text: string;
  /** The gateway has made it, and not only passed it on. */
  readonly own: boolean;
}

/** The answer to each of `ids`, in their order; undefined where none came. */
export function answersIn(door: Door, answer: AnswerText, ids: readonly CallId[]): (Said | undefined)[] {
  if (door === 'rest') return [readText(answer)];
  const [only] = ids;
  if (ids.length === 1 && only !== undefined && isOwnAnswer(answer, only))
    return [{ data: undefined, json: answer.text }];
  const read = answer.type.startsWith('text/event-stream') ? eventsIn(answer.text) : readText(answer);
  const several = Array.isArray(read) || Array.isArray(read?.data);
  const messages = Array.isArray(read) ? read : Array.isArray(read?.data) ? read.data.map(apart) : [read];
  const found = ids.map(id => messages.find(each => isAnswerTo(each?.data, id)));
  // A refusal of the request as a whole names no call.
  return several || found.some(each => each !== undefined) ? found : ids.map(() => messages[0]);
}

/** What begins as the gateway begins an answer, and ends as one, has its JSON between: it is written in one piece. */
const isOwnAnswer = ({ own, type, text }: AnswerText, id: CallId): boolean =>
  own &&
  type.startsWith('application/json') &&
  text.startsWith(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`) &&
  text.endsWith('}');

const apart = (data: unknown): Said => ({ data, json: undefined });

const isAnswerTo = (message: unknown, id: CallId): boolean =>
  isObject(message) && !('method' in message) && idOf(message) === id;

function eventsIn(text: string): Said[] {
  const messages: Said[] = [];
  const parser = createParser({
    onEvent: ({ data }) => void (data !== '' && messages.push({ data: parsed(data), json: data })),
  });
  parser.feed(text);
  parser.reset({ consume: true });
  return messages;
}

function readText({ type, text }: AnswerText): Said | undefined {
  if (text === '') return undefined;
  if (!type.startsWith('application/toon')) return whole(parsed(text), text);
  try {
    // What it says is what is looked for in captures, and what is compared when they are sent again.
    return apart(decode(text));
  } catch {
    return apart(text);
  }
}
