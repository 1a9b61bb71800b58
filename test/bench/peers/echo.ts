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

/** Bodies of tools/call of `tools`, in turn, under the id of the connection. */
export const echoCalls =
  (...tools: string[]) =>
  (connection: number): string[] =>
    tools.map(name =>
      JSON.stringify({
        jsonrpc: '2.0',
        id: connection,
        method: 'tools/call',
        params: { name, arguments: echoArguments },
      }),
    );

/** Bodies of a request without params, under the id of the connection. */
export const plainRequests =
  (...methods: string[]) =>
  (connection: number): string[] =>
    methods.map(method => JSON.stringify({ jsonrpc: '2.0', id: connection, method }));
