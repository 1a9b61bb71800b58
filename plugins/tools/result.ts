/**
 * What becomes of a handler's value (shape:result): content blocks go as they are, an object as text and structured
 * content, a text as text, nothing as the empty success envelope. Pure.
 */
import { plain, toHttpError, toSvcError } from '../../kernel/index.ts';
import { excessOf } from '../../schemas/result-size.ts';
import type { ToolResult, ToolText } from './api.ts';
import { toolErrors } from './errors.ts';

type Fields = Readonly<Record<string, unknown>>;

const emptyEnvelope = { success: true, message: '' } as const;

/** Makes one form of result; `structured` says whether the caller's revision knows structuredContent (>= 2025-06-18). */
export interface ResultEncoder<T> {
  encode(value: unknown, structured: boolean, mostBytes: number): T;
  /** From a finished result. */
  adopt(result: ToolResult): T;
}

/** Thrown of a value whose text has more bytes than a result may, before more is made of it. */
export class TooLarge extends Error {
  readonly size: number;

  constructor(size: number) {
    super(`the result is at least ${size} bytes long`);
    this.size = size;
  }

  /** What the caller of `tool` is told. */
  of(tool: string, limit: number): Error {
    return toolErrors.RESULT_TOO_LARGE({ tool, size: this.size, limit });
  }
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
    if (value.kind === 'large') throw new TooLarge(Number(value.json));
    if (value.kind === 'text') return undefined;
    return structuredValue(value.kind === 'other' && value.json !== 'null' ? 0 : JSON.parse(value.json));
  }
  if (isContentResult(value)) return value.structuredContent;
  return typeof value === 'object' && !Array.isArray(value) ? value : undefined;
}

/**
 * What the schema of a skill's results may mean by the envelope `{success, message, prompt, error, context}`, which the
 * public packages answer with: the envelope without the keys that are null, or what it carries.
 */
export function meaningsOf(envelope: unknown): object[] {
  const { success, context } = (envelope ?? {}) as Fields;
  if (success !== true) return [];
  const said = Object.fromEntries(Object.entries(envelope as Fields).filter(([, value]) => value !== null));
  const isObject = typeof context === 'object' && context !== null && !Array.isArray(context);
  return isObject ? [said, context] : [said];
}

/** The whole envelope to read, and what is meant by it as structured content. */
export const meaning = (envelope: unknown, structuredContent: unknown): ToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(envelope) }],
  structuredContent,
});

/** JSON text of a CallToolResult, written in one pass. Throws when the value has no JSON form, or too much of it. */
export function encodeToolResult(value: unknown, structured: boolean, mostBytes = Number.POSITIVE_INFINITY): string {
  if (typeof value === 'string') return textResult(JSON.stringify(fitting(value, mostBytes)));
  if (value === undefined || value === null) return objectResult(JSON.stringify(emptyEnvelope), structured, false);
  if (isToolText(value)) {
    if (value.kind === 'large') throw new TooLarge(Number(value.json));
    fitting(value.json, mostBytes);
    if (value.kind === 'content') return value.json;
    if (value.kind === 'text') return textResult(value.json);
    if (value.kind === 'object') return objectResult(value.json, structured, value.success === false);
    if (value.json === 'null') return encodeToolResult(null, structured);
    return textResult(JSON.stringify(value.json));
  }
  const json = fitting(jsonOf(value), mostBytes);
  return isContentResult(value) ? json : encodeJson(json, value, structured);
}

/** Of a value that is no result in MCP's own form, with its JSON text. */
function encodeJson(json: string, value: unknown, structured: boolean): string {
  // Arrays, numbers and what turns itself into a text (a Date) are no structured content.
  if (!json.startsWith('{')) return textResult(JSON.stringify(json));
  return objectResult(json, structured, (value as Fields).success === false);
}

/** The same as an object. */
export function toToolResult(value: unknown, structured: boolean, mostBytes = Number.POSITIVE_INFINITY): ToolResult {
  if (isContentResult(value)) {
    fitting(jsonOf(value), mostBytes);
    return value;
  }
  return JSON.parse(encodeToolResult(value, structured, mostBytes)) as ToolResult;
}

function fitting(text: string, mostBytes: number): string {
  const size = excessOf(text, mostBytes);
  if (size !== undefined) throw new TooLarge(size);
  return text;
}

/** Makes result objects, for callers inside the process. */
export const objectEncoder: ResultEncoder<ToolResult> = { encode: toToolResult, adopt: result => result };

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
