/** The tool that every peer serves: the same schema, the same arguments, the same result. */

export const echoSchema = {
  type: 'object',
  properties: {
    text: { type: 'string', maxLength: 1000 },
    count: { type: 'integer', minimum: 0 },
    options: { type: 'object', properties: { fast: { type: 'boolean' } }, additionalProperties: false },
  },
  required: ['text', 'count'],
  additionalProperties: false,
} as const;

export const echoArguments = { text: 'a short text', count: 3, options: { fast: true } };

/** Body of a tools/call of `tool`. */
export const echoCall = (tool = 'echo', id: number | string = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: tool, arguments: echoArguments } });
