/**
 * The channel of a script beside its three standard streams: JSON objects, one a line, either way, on the descriptor that
 * SVC_CHANNEL_FD names (skills/README.md). What a script says there is held to a budget and never trusted to be well formed.
 */
import type { Duplex } from 'node:stream';
import { toSvcError } from '../../../kernel/index.ts';
import { logLevels } from '../../../schemas/log-levels.ts';
import { createBudget } from './budget.ts';
import type { SkillCall } from './runtime-api.ts';

/** Place among the child's descriptors. */
export const channelFd = 3;

const longestLine = 64 * 1024;
/** Questions to the client that wait at once. */
const mostQuestions = 16;

export interface ScriptChannel {
  /** Says that the caller cancelled; false when the script never said that it listens. */
  cancel(reason: string): boolean;
  /** What the script last told as its partial output; undefined when nothing. */
  readonly partial: unknown;
}

export function openScriptChannel(stream: Duplex, call: Pick<SkillCall, 'progress' | 'log' | 'ask'>): ScriptChannel {
  const budget = createBudget(1000, 500);
  let listening = false;
  let partial: unknown;
  let pending = '';
  let questions = 0;

  const say = (message: object): void => {
    if (stream.writable) stream.write(`${JSON.stringify(message)}\n`);
  };

  const hear = (line: string): void => {
    let told: Record<string, unknown>;
    try {
      told = Object(JSON.parse(line)) as Record<string, unknown>;
    } catch {
      return;
    }
    if (told.type === 'cancellable') listening = true;
    else if (!budget.take()) return;
    else if (told.type === 'progress') report(told);
    else if (told.type === 'log')
      call.log(logLevels.find(each => each === told.level) ?? 'info', told.data ?? told.message);
    else if (told.type === 'ask') void ask(told);
    else if (told.type === 'partial') {
      partial = told.value;
      call.log('info', told.value);
    }
  };

  const report = ({ progress, total, message }: Record<string, unknown>): void => {
    if (typeof progress !== 'number') return;
    call.progress(progress, numberOr(total), typeof message === 'string' ? message : undefined);
  };

  /** Hands a question to the client and tells the script what it answers, or why it cannot be asked. */
  const ask = async ({ id, method, params }: Record<string, unknown>): Promise<void> => {
    questions += 1;
    try {
      if (questions > mostQuestions) throw new Error(`${mostQuestions} questions wait already`);
      const result = await call.ask(String(method), Object(params) as Record<string, unknown>);
      say({ type: 'answer', id, result });
    } catch (error) {
      const { code, message } = toSvcError(error);
      say({ type: 'answer', id, error: { code, message } });
    } finally {
      questions -= 1;
    }
  };

  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (pending + text).split('\n');
    pending = lines.pop() ?? '';
    // A line without end is no message.
    if (pending.length > longestLine) pending = '';
    for (const line of lines) if (line.length <= longestLine) hear(line);
  });
  // Its end says nothing: the script may have closed it, or ended.
  stream.on('error', () => undefined);

  return {
    cancel(reason) {
      if (listening) say({ type: 'cancel', reason });
      return listening;
    },
    get partial() {
      return partial;
    },
  };
}

const numberOr = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
