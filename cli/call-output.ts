/** The result of a call for people. */
import { refusalStatus } from '../schemas/refusal-status.ts';
import { structured } from './called-tool.ts';
import { cliErrors } from './errors.ts';
import { carriedFailure, failureOfStatus } from './exit-codes.ts';
import type { Fields } from './mcp-client.ts';

/** Structured content as JSON for people; otherwise the texts, and of what is none its kind. */
export function shownResult(result: Fields): string {
  const value = structured(result);
  if (value !== undefined) return JSON.stringify(value, null, 2);
  const content = (result.content ?? []) as { type: string; text?: string; mimeType?: string; uri?: string }[];
  return content
    .map(({ type, text, mimeType, uri }) => text ?? `[${[type, mimeType, uri].filter(Boolean).join(' ')}]`)
    .join('\n');
}

/** The result for programs: its structured content, the JSON that is its only text, or the whole where it is neither. */
export function resultValue(result: Fields): unknown {
  const value = structured(result);
  if (value !== undefined) return value;
  const [only, ...more] = (result.content ?? []) as { text?: string }[];
  return (more.length === 0 ? jsonOf(only?.text) : undefined) ?? result;
}

/** The error that a result with `isError` is: the refusal of a gateway, a call that could not be made, or a tool that failed. */
export function failureOf(result: Fields): Error {
  const text = (result.content as { text?: string }[] | undefined)?.find(each => typeof each.text === 'string')?.text;
  // A gateway tells it in its text.
  const told = structured(result) ? undefined : meta(jsonOf(text)).error;
  const { kind } = meta(meta(meta(result._meta).dcc).error) as { kind?: string };
  if (told !== undefined && kind === undefined)
    return refusalIn(meta(told)) ?? cliErrors.TOOL_FAILED({ message: text });
  const message = failureText(structured(result), told === undefined ? text : (meta(told).message as string));
  return (kind === 'invalid-params' ? cliErrors.CALL_REFUSED : cliErrors.TOOL_FAILED)({ message });
}

/** What a gateway says when it refuses, as it would over HTTP; nothing for what is no refusal of a gateway. */
export function refusalIn({ kind, message, ...more }: Fields, status?: number): Error | undefined {
  if (typeof kind !== 'string' || typeof message !== 'string') return undefined;
  // The tool ran, and said no itself.
  if (kind === 'tool-error') return cliErrors.TOOL_FAILED({ message });
  const failure = failureOfStatus(status ?? refusalStatus(kind, 502, more.previous_status), message);
  const { candidates, recommended_next_action, retryable } = more;
  const told = { candidates, recommended_next_action: loadCommand(more.next_step) ?? recommended_next_action };
  const known = Object.entries(told).filter(([, each]) => each && !(Array.isArray(each) && each.length === 0));
  return carriedFailure({
    ...failure,
    ...(typeof retryable === 'boolean' && { retryable }),
    details: { ...failure.details, kind, ...Object.fromEntries(known) },
  });
}

/** The next step of an agent, where it is to load a skill, as a user takes it. */
function loadCommand(step: unknown): string | undefined {
  const { action, arguments: args } = meta(step);
  const { skill_name, instance_id, tool_group } = meta(args);
  if (action !== 'load_skill') return undefined;
  const group = tool_group === undefined ? '' : ` --group ${String(tool_group)}`;
  return `svc-cli load-skill ${String(skill_name)} --instance ${String(instance_id)}${group}`;
}

const meta = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

/** The message of an envelope, or the text. */
const failureText = (envelope: Fields | undefined, text: string | undefined): string =>
  typeof envelope?.message === 'string' && envelope.message !== '' ? envelope.message : (text ?? 'the tool failed');

function jsonOf(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '') as unknown;
  } catch {
    return undefined;
  }
}
