/**
 * What a result shows beside the handler's value: the tools that its author would call next (`_meta["dcc.next_tools"]`),
 * a picture in the envelope (`context.__rich__`) as image content, and what its handler said aside. Most have neither.
 */
import type { ToolCall, ToolRecord, ToolResult } from './api.ts';
import { isToolText, reportsSuccess, toToolResult } from './result.ts';

type Fields = Record<string, unknown>;

const pictureKey = '__rich__';
const pictureMark = `"${pictureKey}"`;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The result that shows more than the value; nothing when there is no more. The others as encoders take them. */
export function presented(
  value: unknown,
  { tool, aside }: Pick<ToolCall, 'tool' | 'aside'>,
  structured: boolean,
  mostBytes = Number.POSITIVE_INFINITY,
): ToolResult | undefined {
  const next = nextTools(tool, reportsSuccess(value));
  const pictured = tool.source === 'skill' && holdsPicture(value);
  if (next === undefined && !pictured && aside === undefined) return undefined;
  const result = toToolResult(value, structured, mostBytes);
  const shown = pictured ? withPictures(result, structured) : result;
  if (next === undefined && aside === undefined) return shown;
  const dcc = aside && { dcc: { ...(shown._meta?.dcc as object | undefined), ...aside } };
  return { ...shown, _meta: { ...next, ...shown._meta, ...dcc } };
}

/** What the tool's declaration suggests after a success or a failure, as result metadata; nothing when it is silent. */
export function nextTools({ metadata }: ToolRecord, success: boolean): Fields | undefined {
  const declared = metadata.next_tools as { on_success?: string[]; on_failure?: string[] } | undefined;
  if (declared === undefined) return undefined;
  const key = success ? 'on_success' : 'on_failure';
  const names = declared[key] ?? [];
  return names.length > 0 ? { 'dcc.next_tools': { [key]: names } } : undefined;
}

function holdsPicture(value: unknown): boolean {
  if (isToolText(value)) return value.kind === 'object' && value.json.includes(pictureMark);
  const { context } = (value ?? {}) as { context?: unknown };
  return isFields(context) && pictureKey in context;
}

/** Takes the pictures out of the envelope and puts them beside it. */
function withPictures(result: ToolResult, structured: boolean): ToolResult {
  const [first] = result.content as { type: string; text?: string }[];
  const envelope = first?.type === 'text' && first.text !== undefined ? (JSON.parse(first.text) as unknown) : undefined;
  if (!isFields(envelope) || !isFields(envelope.context)) return result;
  const given = envelope.context[pictureKey];
  const images: Fields[] = [];
  const lean = (each: unknown): unknown => {
    if (!isFields(each) || each.kind !== 'image' || typeof each.data !== 'string') return each;
    const { mime = each.mimeType ?? 'image/png' } = each;
    const data = each.data.replace(/^data:[^,]*,/, '').replaceAll(/\s+/g, '');
    if (typeof mime !== 'string' || data.length % 4 !== 0 || !base64.test(data)) {
      return { ...each, data: '(left out: it is not base64)' };
    }
    images.push({ type: 'image', data, mimeType: mime });
    return { ...each, data: '(see the image content)' };
  };
  const rich = Array.isArray(given) ? given.map(lean) : lean(given);
  const context = { ...envelope.context, [pictureKey]: rich };
  const shown = { ...envelope, context };
  return {
    ...result,
    content: [{ type: 'text', text: JSON.stringify(shown) }, ...images],
    ...(structured && { structuredContent: shown }),
  };
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
