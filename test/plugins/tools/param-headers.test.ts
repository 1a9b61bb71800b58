import { expect, test } from 'vitest';
import { searchPlugin } from '../../../plugins/search/index.ts';
import { toolsPlugin } from '../../../plugins/tools/index.ts';
import { mcpPlugin } from '../../contracts/rooms.ts';
import { headersOf, modern } from '../mcp/sessionless-wire.ts';
import { type Json, mcpServer } from '../mcp/wire.ts';

const text = { type: 'string', 'x-mcp-header': 'Region' };
const input_schema = {
  type: 'object',
  properties: {
    region: text,
    place: { type: 'object', properties: { level: { type: 'integer', 'x-mcp-header': 'Level' } } },
    fast: { type: 'boolean', 'x-mcp-header': 'Fast' },
    list: { type: 'array', items: { type: 'string', 'x-mcp-header': 'Item' } },
  },
};

async function toolServer() {
  const server = await mcpServer({}, [mcpPlugin, searchPlugin, toolsPlugin]);
  server.app.tools.publish('test', [{ definition: { name: 'echo', input_schema }, handler: args => args }], {
    source: 'host',
  });
  return (args: Json, headers: Record<string, string> = {}) => {
    const message = modern(1, 'tools/call', { name: 'echo', arguments: args });
    return server.post(message, { ...headersOf(message), ...headers });
  };
}

const base64 = (value: string) => `=?base64?${Buffer.from(value).toString('base64')}?=`;

test.each<[Json, Record<string, string>]>([
  [{}, {}],
  [{ region: 'eu' }, { 'mcp-param-region': 'eu' }],
  [{ region: 'eu' }, { 'MCP-Param-REGION': base64('eu') }],
  [{ region: 'größe\n' }, { 'mcp-param-region': base64('größe\n') }],
  [{ region: '' }, { 'mcp-param-region': '=?base64??=' }],
  [{ region: '=?base64?open' }, { 'mcp-param-region': '=?base64?open' }],
  [{ place: { level: 42 } }, { 'mcp-param-level': '42.0' }],
  [
    { place: { level: -7 }, fast: false },
    { 'mcp-param-level': '-7', 'mcp-param-fast': 'false' },
  ],
  [{ list: ['a'] }, {}],
  [{ region: 'eu' }, { 'mcp-param-region': 'eu', 'mcp-param-unknown': 'x' }],
])('arguments %j with headers %j are served', async (args, headers) => {
  const call = await toolServer();
  expect((await call(args, headers)).json).toMatchObject({ result: { structuredContent: args } });
});

test.each<[Json, Record<string, string>]>([
  [{ region: 'eu' }, {}],
  [{ region: 'eu' }, { 'mcp-param-region': 'us' }],
  [{ region: 'eu' }, { 'mcp-param-region': 'EU' }],
  [{ region: 'eu' }, { 'mcp-param-region': '=?base64?ZXU?=' }],
  [{ region: 'eu' }, { 'mcp-param-region': '=?base64?ZX U=?=' }],
  [{ region: 'ü' }, { 'mcp-param-region': 'ü' }],
  [{}, { 'mcp-param-region': 'eu' }],
  [{ place: { level: 42 } }, { 'mcp-param-level': '0x2a' }],
  [{ place: { level: 42 } }, { 'mcp-param-level': '42.5' }],
  [{ fast: true }, { 'mcp-param-fast': 'True' }],
])('arguments %j with headers %j are 400 and -32020', async (args, headers) => {
  const call = await toolServer();
  const answer = await call(args, headers);
  expect(answer.status).toBe(400);
  expect(answer.json).toMatchObject({ id: 1, error: { code: -32020, data: { code: 'SVC_MCP_HEADER_MISMATCH' } } });
});
