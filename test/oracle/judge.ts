/** Whether a message that was heard is what its revision allows: by its official schema, and by rules it cannot say. */
import { definitionsOf } from './schemas.ts';

export interface Heard {
  revision: string;
  /** Method of the request that the message answers. */
  method?: string | undefined;
  text: string;
}

type Json = Record<string, unknown>;

const sessionless = '2026-07-28';
/** Channels of ours: no client is confused by a notification that it does not know, in a session. */
const vendor = /^notifications\/\$\/dcc\./;
/** Of extensions, whose messages have no official schema: by method of the message, or of the request that it answers. */
const extensions = /^(notifications\/tasks$|tasks\/|skills\/|resources\/directory\/)/;

/** What tests make up, to see that a message passes. */
const invented = /^(notifications\/)?(x|test|studio)(\/|$)/;

/** What is wrong with a message; nothing when it is as it should be. */
export function problemOf({ revision, method, text }: Heard): string | undefined {
  const message = JSON.parse(text) as Json | Json[];
  if (!Array.isArray(message)) return problemOfOne(revision, method, message);
  if (revision !== '2025-03-26') return 'a batch, which this revision does not know';
  if (message.length === 0) return 'an empty batch';
  for (const each of message) {
    const problem = problemOfOne(revision, undefined, each);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOfOne(revision: string, answers: string | undefined, message: Json): string | undefined {
  const { method, result, error } = message;
  if (typeof method === 'string') return problemOfCall(revision, method, message);
  if (error !== undefined) return problemOfError(revision, message);
  const envelope = checked(revision, ['JSONRPCResultResponse', 'JSONRPCResponse'], message);
  return envelope ?? checked(revision, resultNames(answers, result as Json), result);
}

/** A request or a notification of the server. */
function problemOfCall(revision: string, method: string, message: Json): string | undefined {
  const isRequest = 'id' in message;
  if (revision === sessionless && isRequest) return 'a request of the server, which this revision forbids';
  const name = definitionsOf(revision).byMethod.get(method);
  if (name !== undefined) return checked(revision, [name], message);
  const ofOurs = vendor.test(method) && !isRequest && revision !== sessionless;
  const ofExtension = extensions.test(method) && !isRequest && revision === sessionless;
  if (!ofOurs && !ofExtension && !invented.test(method)) return `${method}, which this revision does not know`;
  return checked(revision, ['JSONRPCNotification'], message);
}

function problemOfError(revision: string, message: Json): string | undefined {
  // JSON-RPC answers null to what has no id that could be read; these two schemas have no word for it.
  const silent = message.id === null && (revision === '2025-03-26' || revision === '2025-06-18');
  const told = silent ? { ...message, id: 0 } : message;
  return checked(revision, ['JSONRPCErrorResponse', 'JSONRPCError'], told);
}

/** Definitions that a result may be held against, the best first. */
function resultNames(method: string | undefined, result: Json | undefined): readonly string[] {
  // A client may ask the gateway for results in another encoding, which stands as a text in their place.
  if (result?.mimeType === 'application/toon') return ['Result'];
  if (result?.resultType === 'input_required') return ['InputRequiredResult'];
  if (method === undefined || extensions.test(method)) return ['Result'];
  // A task is what an extension makes of the result of a call.
  if (result?.resultType === 'task') return ['Result'];
  return [`@${method}`, 'Result'];
}

function checked(revision: string, wanted: readonly string[], value: unknown): string | undefined {
  const definitions = definitionsOf(revision);
  const names = wanted.map(each => (each.startsWith('@') ? resultOf(revision, each.slice(1)) : each));
  const name = names.find(each => each !== undefined && definitions.names.has(each));
  if (name === undefined) return `none of ${wanted.join(', ')} is defined`;
  const check = definitions.check(name);
  if (check(value)) return undefined;
  const [first] = check.errors ?? [];
  return `no ${name}: ${first?.instancePath || 'it'} ${first?.message} (${first?.schemaPath})`;
}

/** `ListToolsRequest` is answered by `ListToolsResult`, what has no result of its own by an empty one. */
function resultOf(revision: string, method: string): string | undefined {
  const definitions = definitionsOf(revision);
  const request = definitions.byMethod.get(method);
  if (request === undefined) return undefined;
  const name = request.replace(/Request$/, 'Result');
  return definitions.names.has(name) ? name : 'EmptyResult';
}
