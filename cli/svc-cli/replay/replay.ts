/** Captured calls, sent again one after the other, and each answer held against the captured one. */
import { isLike } from '../../../schemas/wildcard.ts';
import { describeFailure } from '../../exit-codes.ts';
import { type CapturedCall, obstacle, toolOf } from './captured.ts';
import { type Difference, differences, outcomeOf } from './outcome.ts';
import type { Sender } from './sending.ts';

export interface ReplayedCall {
  capture_id: string;
  tool: string;
  /** Path at the gateway, which is the door. */
  url: string;
  outcome: 'same' | 'changed' | 'failed' | 'not_compared' | 'not_replayed' | 'would_be_replayed';
  /** Why it is so, where that needs saying. */
  reason?: string;
  differences?: Difference[];
  duration_ms?: number;
  /** Instances that have gone, and those that answered for them. */
  renamed?: Record<string, string>;
}

export interface ReplayOptions {
  /** Undefined only says what would be sent. */
  sender: Sender | undefined;
  tools: readonly string[];
  ignored: readonly string[];
  timeoutMs: number;
  onCall(call: ReplayedCall): void;
}

export async function replay(calls: readonly CapturedCall[], options: ReplayOptions): Promise<ReplayedCall[]> {
  const { tools, onCall } = options;
  const chosen = calls.filter(each => tools.length === 0 || isLike(toolOf(each), tools));
  const replayed: ReplayedCall[] = [];
  for (const call of chosen) {
    const about = { capture_id: call.capture_id, tool: toolOf(call), url: call.url };
    const done = { ...about, ...(await replayOne(call, options)) };
    replayed.push(done);
    onCall(done);
  }
  return replayed;
}

async function replayOne(
  call: CapturedCall,
  { sender, ignored, timeoutMs }: ReplayOptions,
): Promise<Pick<ReplayedCall, 'outcome'> & Partial<ReplayedCall>> {
  const reason = obstacle(call);
  if (reason !== undefined) return { outcome: 'not_replayed', reason };
  if (!sender) return { outcome: 'would_be_replayed' };
  const began = performance.now();
  try {
    const { data, renamed } = await sender.send(call, AbortSignal.timeout(timeoutMs));
    const told = {
      duration_ms: Math.round(performance.now() - began),
      ...(renamed.size > 0 && { renamed: Object.fromEntries(renamed) }),
    };
    const { answer } = call;
    if (!answer || answer.truncated) {
      return {
        outcome: 'not_compared',
        reason: answer ? 'the captured answer was too long' : 'no answer was captured',
        ...told,
      };
    }
    const hidden = answer.redacted.map(pathInside);
    const before = outcomeOf(withNames(answer.data, renamed));
    const found = differences(before, outcomeOf(data), [...ignored, ...hidden]);
    return found.length > 0 ? { outcome: 'changed', differences: found, ...told } : { outcome: 'same', ...told };
  } catch (error) {
    const timedOut = (error as Error).name === 'TimeoutError';
    return {
      outcome: 'failed',
      reason: timedOut ? `no answer within ${timeoutMs / 1000} s` : describeFailure(error).message,
    };
  }
}

/** A path of the frame as one of what the answer says; what an operator had replaced bears no mark. */
const pathInside = (path: string): string => path.replace(/^body\.data\.(?:result\.)?(?:structuredContent\.)?/, '');

/** The captured answer, as if the instances that answer now had given it. */
function withNames(data: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (renamed.size === 0 || data === undefined) return data;
  const text = [...renamed].reduce((left, [gone, now]) => left.replaceAll(gone, now), JSON.stringify(data));
  return JSON.parse(text);
}

const counted = ['same', 'changed', 'failed', 'not_compared', 'not_replayed', 'would_be_replayed'] as const;

/** How many calls came out how. */
export const countsOf = (calls: readonly ReplayedCall[]): Record<ReplayedCall['outcome'], number> =>
  Object.fromEntries(counted.map(each => [each, calls.filter(({ outcome }) => outcome === each).length])) as Record<
    ReplayedCall['outcome'],
    number
  >;
