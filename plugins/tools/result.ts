/**
 * What becomes of a handler's value (CONTRACT 7.5): content blocks go as they are, an object as text and structured
 * content, a text as text, nothing as the empty success envelope. Pure.
 */
import type { ToolResult, ToolText } from './api.ts';

type Fields = Readonly<Record<string, unknown>>;

const emptyEnvelope = { success: true, message: '' } as const;

/** Makes one form of result; `structured` says whether the caller's revision knows structuredContent (>= 2025-06-18). */
export interface ResultEncoder<T> {
  encode(value: unknown, structured: boolean): T;
  /** From a finished result. */
  adopt(result: ToolResult): T;
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
  if (isContentResult(value)) return json;
  // Arrays, numbers and what turns itself into a text (a Date) are no structured content.
  if (!json.startsWith('{')) return textResult(JSON.stringify(json));
  return objectResult(json, structured, (value as Fields).success === false);
}

/** The same as an object. */
export function toToolResult(value: unknown, structured: boolean): ToolResult {
  if (isContentResult(value)) {
    jsonOf(value);
    return value;
  }
  return JSON.parse(encodeToolResult(value, structured)) as ToolResult;
}

/** Makes result objects, for callers inside the process. */
export const objectEncoder: ResultEncoder<ToolResult> = { encode: toToolResult, adopt: result => result };

/** The same, refusing a value that is JSON text of more than `maxChars` already, before it is parsed. */
export function boundedEncoder(maxChars = Number.POSITIVE_INFINITY): ResultEncoder<ToolResult> {
  return {
    adopt: result => result,
    encode(value, structured) {
      if (isToolText(value) && value.json.length > maxChars) {
        throw new Error(
          `its result is ${value.json.length} characters long, at most ${maxChars} are kept: write it to a file instead`,
        );
      }
      return toToolResult(value, structured);
    },
  };
}

/** A result that says that the call failed. */
export function errorResult(message: string, details: Fields): ToolResult {
  return { content: [{ type: 'text', text: message }], structuredContent: details, isError: true };
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
