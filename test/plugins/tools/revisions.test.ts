/** The clash between the specification's error numbers and MCP's: 2025-03-26 is the specification's, later revisions MCP's. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, test } from 'vitest';
import { testServer } from '../../server.ts';
import { connect, messagesOf } from '../../spec/wire.ts';

const input_schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const output_schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };

async function served(): Promise<string> {
  const server = testServer('dedicated');
  server.registerTool({ name: 'count', input_schema, output_schema }, ({ n }) => ({ n }));
  server.registerTool({ name: 'throws', output_schema }, () => {
    throw new Error('the mesh is open');
  });
  return (await server.start()).mcpUrl();
}

const missing = {
  activate_tool_group: 'group_name',
  deactivate_tool_group: 'group_name',
  get_skill_info: 'skill_name',
  jobs_cancel: 'job_id',
  jobs_get_status: 'job_id',
  load_skill: 'skill_name',
  search_tools: 'query',
  unload_skill: 'skill_name',
};

test('2025-03-26: the numbers of the specification, also in a batch; a missing parameter has one form in every built-in tool', async () => {
  const wire = await connect(await served(), { protocolVersion: '2025-03-26' });
  const call = (id: number, name: string, args: object = {}) => ({
    ...{ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } },
  });
  const batch = messagesOf(await wire.send([call(1, 'nobody'), call(2, 'count', { n: 'x' }), call(3, 'throws')]));
  expect(Object.fromEntries(batch.map(({ id, error }) => [id, error?.code]))).toEqual({
    1: -32000,
    2: -32001,
    3: -32002,
  });
  for (const [name, field] of Object.entries(missing)) {
    expect((await wire.request('tools/call', { name })).error).toMatchObject({
      code: -32001,
      message: `Invalid arguments for tool "${name}": "${field}" is required`,
      data: { code: 'SVC_TOOLS_INVALID_ARGUMENTS', tool: name, problems: [{ field }] },
    });
  }
  const demanding = (await wire.tools()).filter(each => (each.inputSchema as { required?: string[] }).required?.length);
  expect(Object.keys(missing)).toEqual(
    expect.arrayContaining(demanding.map(each => each.name).filter(each => each !== 'count')),
  );
});

describe.each(['2025-06-18', '2025-11-25'])('%s', protocolVersion => {
  test('an unknown tool is -32602; what else fails is a result with isError, its text for the model, code and kind in _meta', async () => {
    const wire = await connect(await served(), { protocolVersion });
    expect((await wire.request('tools/call', { name: 'nobody' })).error).toMatchObject({
      code: -32602,
      data: { code: 'SVC_TOOLS_NOT_FOUND' },
    });
    for (const [name, field] of Object.entries(missing)) {
      expect(await wire.result('tools/call', { name })).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: `Invalid arguments for tool "${name}": "${field}" is required` }],
        _meta: { dcc: { error: { code: 'SVC_TOOLS_INVALID_ARGUMENTS', kind: 'invalid-params', number: -32001 } } },
      });
    }
    const failed = await wire.call('throws');
    expect(failed).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'Tool "throws" failed: the mesh is open' }],
      _meta: { dcc: { error: { kind: 'backend-error', number: -32002 } } },
    });
    // The tool has an output schema, which clients hold structured content against.
    expect(failed).not.toHaveProperty('structuredContent');
  });

  test('resources and prompts that are not there: -32002 with the uri, -32602', async () => {
    const wire = await connect(await served(), { protocolVersion });
    expect((await wire.request('resources/read', { uri: 'nobody://x' })).error).toMatchObject({
      code: -32002,
      data: { uri: 'nobody://x' },
    });
    const artefact = await wire.request('resources/read', { uri: `artefact://sha256/${'0'.repeat(64)}` });
    expect(artefact.error?.code).toBe(-32002);
    expect((await wire.request('prompts/get', { name: 'nobody' })).error?.code).toBe(-32602);
  });
});

test('SDK 1.x: a failed tool is a result, so that it is not mistaken for a time-out of its own (-32001)', async () => {
  const client = new Client({ name: 'oracle', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(await served()));
  await client.connect(transport as never);
  // With the list, the client holds structured content against the output schemas.
  await client.listTools();
  expect(await client.callTool({ name: 'count', arguments: { n: 1 } })).toMatchObject({ structuredContent: { n: 1 } });
  for (const [name, text] of [
    ['count', 'Invalid arguments for tool "count": "n" is required'],
    ['throws', 'Tool "throws" failed: the mesh is open'],
  ] as const) {
    expect(await client.callTool({ name, arguments: {} })).toMatchObject({ isError: true, content: [{ text }] });
  }
  await expect(client.callTool({ name: 'nobody', arguments: {} })).rejects.toMatchObject({ code: -32602 });
  await client.close();
});
