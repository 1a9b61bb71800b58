/** Calls into the host: of each is known whether it waits here, waits there or has begun, and so what its caller is told. */

import type { Affinity, HostMessages } from '../../schemas/host-link.ts';
import { logLevels } from '../../schemas/log-levels.ts';
import type { ToolCall } from '../tools/api.ts';
import { linkErrors } from './errors.ts';
import { createLanes, type Queued } from './lanes.ts';

/** What of a call is needed here. */
export type LinkedCall = Partial<
  Pick<ToolCall, 'deadline' | 'graceMs' | 'meta' | 'session' | 'onAbort' | 'progress' | 'log' | 'ask' | 'closeStream'>
>;

/** What the host is asked to run: the fields of the message beside those of every call. */
export type Wanted = { t: 'call' | 'script' | 'read' | 'render' | 'provide' | 'event' | 'page' } & Record<
  string,
  unknown
>;

interface Entry extends Queued {
  id: string;
  wanted: Wanted;
  call: LinkedCall;
  state: 'waiting' | 'sent' | 'begun';
  /** Its caller has its answer already. */
  settled: boolean;
  forget: () => unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export interface HostCallsDeps {
  /** Part of every id: an answer to a companion that is gone settles nothing. */
  epoch: string;
  send(message: object): boolean;
  mostWaiting: number;
  longest: number;
  /** What holds the main thread of the host up; nothing when nothing does. */
  occupied(): string | undefined;
}

export type HostCalls = ReturnType<typeof createHostCalls>;

const nobody = {};

export function createHostCalls({ epoch, send, mostWaiting, longest, occupied }: HostCallsDeps) {
  const lanes = createLanes<Entry>();
  const sent = new Map<string, Entry>();
  let last = 0;
  let lost: string | undefined;

  /** What is true of a call that is given up now. */
  const stateOf = ({ state, affinity }: Entry): string => {
    if (state === 'begun') return 'it has begun there and may still be running';
    const held = affinity === 'main' ? occupied() : undefined;
    return `${held ? `${held}, ` : ''}the call has not begun and will not run`;
  };

  const settle = (entry: Entry, finish: () => void): void => {
    if (entry.settled) return;
    entry.settled = true;
    void entry.forget();
    finish();
  };

  const post = (entry: Entry): void => {
    const { id, wanted, call } = entry;
    const { deadline, meta } = call;
    entry.state = 'sent';
    sent.set(id, entry);
    const job = isJob(call);
    if (send({ id, ...wanted, ...(deadline !== undefined && { deadline }), ...(job && { job }), meta })) return;
    sent.delete(id);
    lanes.back(entry.affinity);
    const size = Buffer.byteLength(JSON.stringify(wanted));
    settle(entry, () => entry.reject(linkErrors.TOO_LARGE({ size, limit: longest })));
  };

  const drain = (affinity: Affinity): void => {
    for (let entry = lanes.next(affinity); entry; entry = lanes.next(affinity)) post(entry);
  };

  /** The host is done with it. */
  const take = (id: string): Entry | undefined => {
    const entry = sent.get(id);
    if (!entry) return undefined;
    sent.delete(id);
    lanes.back(entry.affinity);
    drain(entry.affinity);
    return entry;
  };

  /** Its caller gives it up, and a text says what held it up. */
  const giveUp = (entry: Entry, reason: unknown): string => {
    const state = stateOf(entry);
    const late = reason instanceof Error && reason.name === 'TimeoutError';
    const error = late ? linkErrors.LATE({ state }) : linkErrors.CANCELLED({ state });
    if (lanes.remove(entry)) {
      settle(entry, () => entry.reject(error));
      return state;
    }
    send({ t: 'cancel', id: entry.id, reason: reason instanceof Error ? reason.message : 'cancelled' });
    // A job ends when its handler has.
    if (!isJob(entry.call)) settle(entry, () => entry.reject(error));
    return state;
  };

  const failureOf = ({ code, message, details, where, retryable }: HostMessages['error'], entry: Entry): unknown => {
    if (code === 'LATE') return linkErrors.LATE({ state: stateOf(entry) });
    if (code === 'NOT_BEGUN' || code === 'CANCELLED') return linkErrors.CANCELLED({ state: message });
    if (code === 'GONE') return linkErrors.GONE({ reason: message });
    if (code.startsWith('RESULT_')) return linkErrors.RESULT_UNSENDABLE({ reason: message, host_code: code });
    const at = where && where.length > 0 ? ` (at ${where.at(-1)})` : '';
    return linkErrors.FAILED({ reason: message, at, host_code: code, where, retryable, ...details });
  };

  return {
    /** Runs what is wanted in the host; rejects with SVC_HOST_LINK_* or what the host says. */
    run(wanted: Wanted, affinity: Affinity, call: LinkedCall): Promise<unknown> {
      return new Promise((resolve, reject) => {
        if (lost !== undefined)
          throw linkErrors.LOST({ reason: lost, state: 'the call has not begun and will not run' });
        if (lanes.waiting >= mostWaiting) throw linkErrors.BUSY({ limit: mostWaiting });
        last += 1;
        const id = `${epoch}.${last}`;
        const caller = call.session ?? nobody;
        const entry: Entry = {
          ...{ id, wanted, call, affinity, caller, resolve, reject },
          state: 'waiting',
          settled: false,
          forget: () => undefined,
        };
        lanes.add(entry);
        entry.forget = call.onAbort?.(reason => giveUp(entry, reason)) ?? entry.forget;
        drain(affinity);
      });
    },
    get waiting(): number {
      return lanes.waiting;
    },
    /** What the host runs that began last, as far as it has told. */
    begun(): string | undefined {
      const running = [...sent.values()].filter(each => each.state === 'begun').at(-1);
      return running && String(running.wanted.tool ?? running.wanted.t);
    },

    begin({ id }: HostMessages['begin']): void {
      const entry = sent.get(id);
      if (entry) entry.state = 'begun';
    },
    result({ id, value }: HostMessages['result']): void {
      const entry = take(id);
      if (entry) settle(entry, () => entry.resolve(value));
    },
    error(told: HostMessages['error']): void {
      const entry = take(told.id);
      if (!entry) return;
      const own = told.own && isOfTool(entry.wanted);
      settle(entry, () => (own ? entry.resolve(ownFailure(told)) : entry.reject(failureOf(told, entry))));
    },
    progress({ id, progress, total, message }: HostMessages['progress']): void {
      const entry = sent.get(id);
      if (entry && !entry.settled) entry.call.progress?.(progress, total ?? undefined, message ?? undefined);
    },
    log({ id, level, data }: HostMessages['log']): void {
      const entry = sent.get(id);
      if (entry && !entry.settled) entry.call.log?.(logLevels.find(each => each === level) ?? 'info', data);
    },
    /** Lets the client of a call go for a while. */
    closeStream({ id, retry_ms: retryMs }: HostMessages['close_stream']): void {
      const entry = sent.get(id);
      if (entry && !entry.settled) entry.call.closeStream?.(retryMs);
    },
    /** Asks the client of a call; rejects with why it does not answer. */
    async ask({ call, method, params, timeout_ms: timeoutMs }: HostMessages['ask']): Promise<unknown> {
      const entry = sent.get(call);
      if (!entry?.call.ask || entry.settled) throw linkErrors.GONE({ reason: 'nobody waits for this call any more' });
      return entry.call.ask(method, params, { timeoutMs });
    },

    /** Nobody answers any more. */
    lose(reason: string): void {
      lost = reason;
      for (const entry of [...lanes.clear(), ...sent.values()]) {
        const state = entry.state === 'begun' ? 'the call had begun, what it did is not known' : stateOf(entry);
        settle(entry, () => entry.reject(linkErrors.LOST({ reason, state })));
      }
      sent.clear();
    },
  };
}

const isJob = ({ deadline, graceMs = 0 }: LinkedCall): boolean => graceMs > 0 && deadline === undefined;

/** Whoever asks for anything else takes no result of a tool. */
const isOfTool = ({ t }: Wanted): boolean => t === 'call' || t === 'script';

/** What the author of a tool raised for its caller, as it is. */
function ownFailure({ code, message, details, retryable }: HostMessages['error']) {
  return {
    content: [{ type: 'text', text: message }],
    isError: true,
    _meta: { dcc: { error: { ...details, code, message, retryable: retryable ?? false } } },
  };
}
