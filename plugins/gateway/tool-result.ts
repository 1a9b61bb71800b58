/** Answers of the gateway as results of tools/call: TOON of the compact form, or JSON (shape:encoding, shape:gateway-tools). */

import { isDeepStrictEqual } from 'node:util';
import { RawJson } from '../../kernel/index.ts';
import { note, type Told } from '../../schemas/call-record.ts';
import { type Json, objectOf, objects } from '../../schemas/loose.ts';
import type { Codec, Compaction, ResponseFormat } from '../rest/api.ts';
import { compactBatch, compactCall, isOfJob } from './call-compact.ts';
import { textValue } from './call-result.ts';

const toonType = 'application/toon';
/** What ties an answer to its request and to the index: no model reads it. */
const correlation = ['request_id', 'trace_id', 'index_generation', 'search_id', 'ranker_version'] as const;

/** What the client asked for. */
export interface Wish {
  format: ResponseFormat;
  /** Whether the request names it; otherwise it is what such clients get. */
  named: boolean;
  /** The arguments: `verbose` and `fields`. */
  asked: Json;
}

export function createToolResults(codec: Codec) {
  const toonItem = (item: unknown): unknown => {
    const value = textValue(item);
    return value === undefined ? item : { ...(item as Json), text: codec.toon(value), mimeType: toonType };
  };

  return {
    /** A result whose only text holds the answer. */
    answer(value: Json, { format, asked }: Wish, kind: Compaction, isError = false): RawJson {
      const whole = format === 'json' || kind !== 'batch' || asked.verbose === true;
      const form = { kind, door: 'mcp', asked } as const;
      const { text, contentType, accounting } = codec.encode(
        { value: whole ? value : compactBatch(value) },
        format,
        form,
      );
      if (format === 'json')
        return new RawJson(JSON.stringify({ content: [{ type: 'text', text }], ...(isError && { isError }) }));
      const told = Object.fromEntries(
        correlation.flatMap(name => (value[name] === undefined ? [] : [[name, value[name]]])),
      );
      return new RawJson(
        JSON.stringify({
          content: [{ type: 'text', text, mimeType: contentType }],
          ...(isError && { isError }),
          _meta: { ...told, token_accounting: accounting },
        }),
      );
    },

    /**
     * An instance's own result. It goes as it came, but that of a job says in its text what is to be done; where the
     * compact form is asked for its JSON texts are TOON, and what they say is not said in structuredContent again.
     */
    passed(json: string, { format, named, asked }: Wish, told?: Told): RawJson {
      if (format === 'json' || !(named || isOfJob(json))) {
        if (told) note(told, 'json');
        return new RawJson(json);
      }
      const full = JSON.parse(json) as Json;
      const short = asked.verbose === true ? full : compactCall(full);
      const original = Buffer.byteLength(json);
      if (!named) {
        const text = JSON.stringify({ ...full, content: objects(short.content).map(toonItem) });
        if (told) note(told, 'toon', codec.accounting(original, Buffer.byteLength(text)));
        return new RawJson(text);
      }
      const { structuredContent, _meta, ...result } = short;
      const items = Array.isArray(result.content) ? result.content : [];
      const mirrored = items.some(each => isDeepStrictEqual(textValue(each), structuredContent));
      const text = JSON.stringify({
        ...{ ...result, content: items.map(toonItem) },
        ...(!mirrored && structuredContent !== undefined && { structuredContent }),
      });
      const token_accounting = codec.accounting(original, Buffer.byteLength(text));
      if (told) note(told, 'toon', token_accounting);
      return new RawJson(`${text.slice(0, -1)},"_meta":${JSON.stringify({ ...objectOf(_meta), token_accounting })}}`);
    },

    /** Any other result: its text in the compact encoding, and what that saved. */
    compacted(value: unknown): Json {
      const { text, contentType, accounting } = codec.encode({ value }, 'toon', { kind: 'none', door: 'mcp' });
      return { response_format: 'toon', mimeType: contentType, text, _meta: { token_accounting: accounting } };
    },
  };
}
