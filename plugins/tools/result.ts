/**
 * What becomes of a handler's value (shape:result): content blocks go as they are, an object as text and structured
 * content, a text as text, nothing as the empty success envelope. Pure.
 */
import { plain, toHttpError, toSvcError } from '../../kernel/index.ts';
import type { ToolResult, ToolText } from './api.ts';

type Fields = Readonly<Record<string, unknown>>;

const emptyEnvelope = { success: true, message: '' } as const;

/** Makes one form of result; `structured` says whether the caller's revision knows structuredContent (>= 2025-06-18). */
export interface ResultEncoder<T> {
  encode(value: unknown, structured: boolean): T;
  /** From a finished result. */
  adopt(result: ToolResult): T;
  /** Most characters that a value's text may have. */
  readonly maxChars?: number | undefined;
}

export function isToolText(value: unknown): value is ToolText {
  return typeof value === 'object' && value !== null && (value as ToolText).svcToolText === true;
}

/** An array `content` of typed blocks: a result in MCP's own form. */
export function isContentResult(value: unknown): value is ToolResult {
  if (typeof value !== 'object' || value === null) return false;
  const { content } = value as Fields;
  return (
    Array.isArray(content) &&
    content.every(each => typeof each === 'object' && each !== null && typeof (each as Fields).type === 'string')
  );
}

/** Whether a value reports success: its own `success`, or `isError` of a content result; anything else does. */
export function reportsSuccess(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const { success, isError, structuredContent } = value as Fields;
  if (typeof success === 'boolean') return success;
  const inner = (structuredContent as Fields | null | undefined)?.success;
  if (typeof inner === 'boolean') return inner;
  return isError !== true;
}

/** The object that a declared output schema is held against; undefined when the value has none. */
export function structuredValue(value: unknown): unknown {
  if (value === undefined || value === null) return emptyEnvelope;
  if (isToolText(value)) {
    if (value.kind === 'text') return undefined;
    return structuredValue(value.kind === 'other' && value.json !== 'null' ? 0 : JSON.parse(value.json));
  }
  if (isContentResult(value)) return value.structuredContent;
  return typeof value === 'object' && !Array.isArray(value) ? value : undefined;
}

/** JSON text of a CallToolResult, written in one pass. Throws when the value has no JSON form. */
export function encodeToolResult(value: unknown, structured: boolean): string {
  if (typeof value === 'string') return textResult(JSON.stringify(value));
  if (value === undefined || value === null) return objectResult(JSON.stringify(emptyEnvelope), structured, false);
  if (isToolText(value)) {
    if (value.kind === 'content') return value.json;
    if (value.kind === 'text') return textResult(value.json);
    if (value.kind === 'object') return objectResult(value.json, structured, value.success === false);
    if (value.json === 'null') return encodeToolResult(null, structured);
    return textResult(JSON.stringify(value.json));
  }
  const json = jsonOf(value);
  return isContentResult(value) ? json : encodeJson(json, value, structured);
}

/** Of a value that is no result in MCP's own form, with its JSON text. */
function encodeJson(json: string, value: unknown, structured: boolean): string {
  // Arrays, numbers and what turns itself into a text (a Date) are no structured content.
  if (!json.startsWith('{')) return textResult(JSON.stringify(json));
  return objectResult(json, structured, (value as Fields).success === false);
}

/** The same as an object. Throws when the value's text is longer than `maxChars`, before more is made of it. */
export function toToolResult(value: unknown, structured: boolean, maxChars = Number.POSITIVE_INFINITY): ToolResult {
  if (isToolText(value)) assertLength(value.json, maxChars);
  else if (typeof value === 'string') assertLength(value, maxChars);
  else if (value !== undefined && value !== null) {
    const json = jsonOf(value);
    assertLength(json, maxChars);
    if (isContentResult(value)) return value;
    return JSON.parse(encodeJson(json, value, structured)) as ToolResult;
  }
  return JSON.parse(encodeToolResult(value, structured)) as ToolResult;
}

function assertLength({ length }: string, maxChars: number): void {
  if (length <= maxChars) return;
  throw new Error(`its result is ${length} characters long, at most ${maxChars} are kept: write it to a file instead`);
}

/** Makes result objects, for callers inside the process. */
export const objectEncoder: ResultEncoder<ToolResult> = {
  encode: (value, structured) => toToolResult(value, structured),
  adopt: result => result,
};

/** The same, refusing a value whose text has more than `maxChars`. */
export const boundedEncoder = (maxChars?: number): ResultEncoder<ToolResult> => ({
  maxChars,
  adopt: result => result,
  encode: (value, structured) => toToolResult(value, structured, maxChars),
});

/**
 * A failed call as a result: the text is for the model, what programs go by stands in `_meta`, for clients hold
 * structured content against the output schema of the tool.
 */
export function failedResult(error: unknown): ToolResult {
  const { code, message, row, details } = toSvcError(error);
  const { kind } = toHttpError(error).body;
  // Of a call that became a job and was waited for.
  const { job_id: jobId } = details;
  return {
    content: [{ type: 'text', text: message }],
    isError: true,
    _meta: {
      dcc: {
        ...(jobId !== undefined && { jobId }),
        error: { ...plain(details), code, kind, number: row.rpc ?? -32603 },
      },
    },
  };
}

/** `text` is the JSON form of the text. */
const textResult = (text: string): string => `{"content":[{"type":"text","text":${text}}]}`;

function objectResult(json: string, structured: boolean, failed: boolean): string {
  const text = `{"content":[{"type":"text","text":${JSON.stringify(json)}}]`;
  return `${text}${structured ? `,"structuredContent":${json}` : ''}${failed ? ',"isError":true}' : '}'}`;
}

function jsonOf(value: unknown): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch (error) {
    throw new Error(`its result has no JSON form (${(error as Error).message})`, { cause: error });
  }
  if (json === undefined) throw new Error(`its result has no JSON form (it is a ${typeof value})`);
  return json;
}
