/** Answers of the gateway as results of tools/call: JSON text, or TOON where the client asked for it (shape:encoding, shape:gateway-tools). */

import { RawJson } from '../../kernel/index.ts';
import { isObject, type Json } from '../../schemas/loose.ts';
import type { Codec, Compaction, ResponseFormat } from '../rest/api.ts';
import { textValue } from './call-result.ts';

const toonType = 'application/toon';

export function createToolResults(codec: Codec) {
  const compactItem = (item: unknown): unknown => {
    const value = textValue(item);
    return value === undefined ? item : { ...(item as Json), text: codec.toon(value), mimeType: toonType };
  };

  return {
    /** A result whose only text holds the answer. */
    answer(value: Json, format: ResponseFormat, compaction: Compaction, isError = false): RawJson {
      const { text, contentType, accounting: token_accounting } = codec.encode({ value }, format, compaction);
      const item = { type: 'text', text, ...(format === 'toon' && { mimeType: contentType }) };
      return new RawJson(
        JSON.stringify({
          content: [item],
          ...(isError && { isError }),
          ...(format === 'toon' && { _meta: { token_accounting } }),
        }),
      );
    },

    /** An instance's own result: passed through, or with its JSON texts as TOON and without the structured copy of them. */
    passed(json: string, format: ResponseFormat): RawJson {
      if (format === 'json') return new RawJson(json);
      const { structuredContent, ...result } = JSON.parse(json) as Json;
      const items = Array.isArray(result.content) ? result.content.map(compactItem) : [];
      const converted = items.some(each => isObject(each) && each.mimeType === toonType);
      const content = {
        ...result,
        content: items,
        ...(!converted && structuredContent !== undefined && { structuredContent }),
      };
      const meta = isObject(result._meta) ? result._meta : {};
      const token_accounting = codec.accounting(Buffer.byteLength(json), Buffer.byteLength(JSON.stringify(content)));
      return new RawJson(JSON.stringify({ ...content, _meta: { ...meta, token_accounting } }));
    },

    /** Any other result: its text in the compact encoding, and what that saved. */
    compacted(value: unknown): Json {
      const { text, contentType, accounting: token_accounting } = codec.encode({ value }, 'toon', 'none');
      return { response_format: 'toon', mimeType: contentType, text, _meta: { token_accounting } };
    },
  };
}
