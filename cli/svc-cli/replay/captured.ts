/** Captured calls out of a file of frames: what a client sent, and what it was answered. */
import { isObject, type Json, objectOf, parsed, text, texts } from '../../../schemas/loose.ts';
import { recordLines } from '../../../schemas/record-file.ts';

/** A body as it was captured. */
export interface CapturedBody {
  readonly data: unknown;
  readonly redacted: readonly string[];
  readonly truncated: boolean;
}

export interface CapturedCall {
  readonly capture_id: string;
  /** Path at the gateway. */
  readonly url: string;
  readonly accept: string | undefined;
  readonly request: CapturedBody;
  answer: CapturedBody | undefined;
}

export interface CaptureFile {
  /** In the order in which they were made. */
  readonly calls: readonly CapturedCall[];
  /** Lines that are no frames: torn, of another kind, too long. */
  readonly skipped_lines: number;
}

const longestLine = 64 * 1024 * 1024;

/** Reads a file as `SVC_TRAFFIC_CAPTURE` writes it, or as `/v1/debug/traffic/export` gives it. */
export async function readCaptures(path: string): Promise<CaptureFile> {
  const calls = new Map<string, CapturedCall>();
  let skipped_lines = 0;
  for await (const lines of recordLines(path, longestLine)) {
    for (const line of lines) {
      const event = objectOf(line === null ? undefined : parsed(line));
      if (event.name !== 'traffic.frame' || !take(objectOf(event.attributes), calls)) skipped_lines += 1;
    }
  }
  return { calls: [...calls.values()], skipped_lines };
}

/** False for what is no frame. The legs of instances are frames, and of no use here. */
function take({ leg, capture_id, http, body }: Json, calls: Map<string, CapturedCall>): boolean {
  const id = text(capture_id);
  const { url, headers } = objectOf(http);
  if (id === undefined || typeof url !== 'string' || !isObject(body)) return false;
  if (leg === 'client_to_gateway') {
    const accept = text(objectOf(headers).accept);
    calls.set(id, { capture_id: id, url, accept, request: withoutCaller(bodyOf(body)), answer: undefined });
  } else if (leg === 'gateway_to_client') {
    const call = calls.get(id);
    if (call) call.answer = bodyOf(body);
  }
  return true;
}

const bodyOf = ({ data, redacted_paths, truncated }: Json): CapturedBody => ({
  data,
  redacted: texts(redacted_paths),
  truncated: truncated === true,
});

/** Where a call says who makes it. */
const caller =
  /^body\.data\.((?:(?:params\._meta|params\.arguments\.meta|meta)\.)?(?:agent_context|caller_context))\.([^.]+)$/;

/** What was taken out of that tells nothing of what is called: the rest is sent again without it. */
function withoutCaller(body: CapturedBody): CapturedBody {
  const redacted = body.redacted.filter(path => {
    const [, place = '', name = ''] = caller.exec(path) ?? [];
    if (place === '') return true;
    const context = place.split('.').reduce<Json>((value, each) => objectOf(value[each]), objectOf(body.data));
    return !delete context[name];
  });
  return { ...body, redacted };
}

/** The tool that a call names, for people: a slug, or a name of MCP. */
export function toolOf({ request }: CapturedCall): string {
  const body = objectOf(request.data);
  const params = objectOf(body.params);
  const args = objectOf(params.arguments);
  const batch = body.calls ?? args.calls;
  if (Array.isArray(batch)) return `batch of ${batch.length}`;
  return (
    text(body.tool_slug) ?? text(args.tool_slug) ?? text(body.tool) ?? text(body.action) ?? text(params.name) ?? '?'
  );
}

/** Why a call cannot be sent again as it was; undefined for one that can. */
export function obstacle({ request }: CapturedCall): string | undefined {
  if (request.truncated) return 'its body was too long to be captured';
  if (request.redacted.length > 0) return `redacted: ${request.redacted.join(', ')}`;
  return isObject(request.data) ? undefined : 'its body is no JSON object';
}
