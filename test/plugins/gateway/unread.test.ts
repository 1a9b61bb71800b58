/** Tools that are not in the index yet: a search says whose are missing, in every form. */
import type { ServerResponse } from 'node:http';
import { decode } from '@toon-format/toon';
import { expect, test } from 'vitest';
import { waitFor } from '../../helper.ts';
import { startStranger } from './backends/support.ts';
import { gatewayOver, type Json, toolsOfHost } from './support.ts';

test('an instance whose tools are still being read is named by every search that would find them', async () => {
  const { app, hosts, post, client } = await gatewayOver([{ dcc_type: 'maya', setup: toolsOfHost }]);
  const held: (() => void)[] = [];
  const answer = (response: ServerResponse, id: number, result: Json): void =>
    void response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  const { instance_id } = await startStranger({ app }, (request, response) => {
    let text = '';
    request.on('data', chunk => {
      text += chunk;
    });
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const { id, method } = JSON.parse(text) as { id?: number; method: string };
      if (id === undefined) return void response.writeHead(202).end();
      if (method === 'initialize') return answer(response, id, { protocolVersion: '2025-06-18', capabilities: {} });
      if (method !== 'tools/list') return answer(response, id, {});
      const tools = [{ name: 'drizzle', description: 'Makes rain.', inputSchema: { type: 'object' } }];
      held.push(() => answer(response, id, { tools }));
    });
  });
  await waitFor(() => held.length > 0, 'the question');

  const named = `odd.${instance_id.slice(0, 8)}`;
  const search = async (body: Json) => (await post('search', body)).json as Json;
  const unread = await search({ query: 'drizzle' });
  expect(unread).toMatchObject({ total: 0, unread_instances: 1, hint: expect.stringContaining(`${named} are still`) });
  expect(await search({ query: 'drizzle', dcc_type: 'ODD' })).toMatchObject({ unread_instances: 1 });
  for (const narrowed of [{ dcc_type: 'maya' }, { instance_id: hosts[0]?.id }]) {
    expect(await search({ query: 'echo', ...narrowed })).not.toHaveProperty('unread_instances');
  }
  const wire = await client();
  const compact = async (args: Json): Promise<Json> => {
    const { content } = (await wire.call('search', { ...args, compact: true })) as { content: { text: string }[] };
    return decode(String(content[0]?.text)) as Json;
  };
  expect(await compact({ query: 'drizzle' })).toMatchObject({ hint: expect.stringContaining('still being read') });
  expect(await compact({ query: 'drizzle', kind: 'all' })).toMatchObject({
    hint: expect.stringContaining('still being read'),
  });

  for (const release of held) release();
  await waitFor(() => app.capabilities.unread().length === 0, 'the reading');
  const found = await search({ query: 'drizzle' });
  expect(found).toMatchObject({ total: 1 });
  expect(found).not.toHaveProperty('unread_instances');

  await startStranger({ app }, (_, response) => void response.writeHead(500).end('broken'), { dcc_type: 'grim' });
  await waitFor(() => app.capabilities.unread()[0]?.problem, 'the failure');
  expect(await search({ query: 'x' })).toMatchObject({ hint: expect.stringMatching(/grim\..* cannot be read: .*500/) });
});
