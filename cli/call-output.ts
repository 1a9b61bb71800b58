/** The result of a call for people. */
import { structured } from './called-tool.ts';
import { cliErrors } from './errors.ts';
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

/** The error that a result with `isError` is: one kind for a call that could not be made, another for one that failed. */
export function failureOf(result: Fields): Error {
  const text = (result.content as { text?: string }[] | undefined)?.find(each => typeof each.text === 'string')?.text;
  // A gateway tells it in its text.
  const told = structured(result) ? undefined : meta(jsonOf(text)).error;
  const { kind, message: said } = meta(meta(meta(result._meta).dcc).error ?? told) as {
    kind?: string;
    message?: string;
  };
  const refused = kind === 'invalid-params' || kind === 'unknown-slug';
  const message = failureText(structured(result), told === undefined ? text : said);
  return (refused ? cliErrors.CALL_REFUSED : cliErrors.TOOL_FAILED)({ message });
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
