/** An ordered batch of calls: one after the other, each with its own outcome (shape:batch). */

import { isSvcError, messageOf } from '../../kernel/index.ts';
import { isObject, type Json, text } from '../../schemas/loose.ts';
import type { BatchDeps } from './api.ts';
import { restErrors } from './errors.ts';
import { callArguments, callMeta } from './requests.ts';

const maxCalls = 25;

interface Item {
  id: string | number | boolean | undefined;
  slug: string | undefined;
  args: Json;
  meta: Json;
}

interface Waiting {
  signal?: { readonly aborted: boolean } | undefined;
}

export function createBatch<Caller extends Waiting>({ call, refusal, messageOf: told }: BatchDeps<Caller>) {
  const runItem = async ({ id, slug, args, meta }: Item, index: number, caller: Caller): Promise<Json> => {
    const head = { index, ...(id !== undefined && { id }), tool_slug: slug ?? null };
    if (slug === undefined) {
      return { ...head, ok: false, error: { kind: 'bad-request', message: `calls[${index}] has no "tool_slug"` } };
    }
    try {
      const answered = await call({ tool_slug: slug, arguments: args, meta }, caller);
      const result = JSON.parse(answered.text) as Json;
      if (!answered.failed) return { ...head, ok: true, result };
      return { ...head, ok: false, result, error: { kind: 'tool-error', message: told(result) } };
    } catch (error) {
      return { ...head, ok: false, error: refusal(error) };
    }
  };

  /** Throws SVC_REST_BAD_REQUEST before any call is made when one of them is no call. */
  return async (body: Json, caller: Caller): Promise<Json> => {
    const items = itemsOf(body);
    const stop_on_error = body.stop_on_error === true;
    const results: Json[] = [];
    for (const [index, item] of items.entries()) {
      if (caller.signal?.aborted) break;
      const result = await runItem(item, index, caller);
      results.push(result);
      if (stop_on_error && result.ok !== true) break;
    }
    const success = results.length === items.length && results.every(each => each.ok === true);
    return { success, stop_on_error, results };
  };
}

function itemsOf(body: Json): Item[] {
  const { calls } = body;
  if (!Array.isArray(calls) || calls.length === 0) throw refuse('"calls" must be a list of 1 to 25 calls');
  if (calls.length > maxCalls) throw refuse(`"calls" holds ${calls.length} calls, at most ${maxCalls} are allowed`);
  const shared = callMeta(body);
  return calls.map((each: unknown, index) => {
    if (!isObject(each)) throw refuse(`calls[${index}] must be an object`);
    const { id } = each;
    const known = typeof id === 'string' || typeof id === 'number' || typeof id === 'boolean';
    try {
      const meta = { ...shared, ...callMeta(each) };
      return { id: known ? id : undefined, slug: text(each.tool_slug), args: callArguments(each), meta };
    } catch (error) {
      const reason = isSvcError(error) ? error.details.reason : undefined;
      throw refuse(`calls[${index}]: ${reason ?? messageOf(error)}`);
    }
  });
}

const refuse = (reason: string) => restErrors.BAD_REQUEST({ reason, field: 'calls' });
