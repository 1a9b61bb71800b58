/** The official clients list, read and follow resources and prompts; the host publishes its scene. */
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Server } from '../../../plugins/index.ts';
import { waitFor } from '../../helper.ts';
import { skillFolder, startServer } from '../../spec/fixture.ts';
import { clientInfo } from './driver.ts';

/** What the story needs of either client. */
type Reader = Pick<
  Client1,
  'listResources' | 'readResource' | 'subscribeResource' | 'unsubscribeResource' | 'listPrompts' | 'getPrompt' | 'close'
>;

const clients: Record<string, (url: string, onUpdated: (uri: string) => void) => Promise<Reader>> = {
  async 'SDK 1.x'(url, onUpdated) {
    const client = new Client1(clientInfo);
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => onUpdated(params.uri));
    await client.connect(new Transport1(new URL(url)) as never);
    return client;
  },
  async 'SDK 2.x'(url, onUpdated) {
    const client = new Client2(clientInfo);
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => onUpdated(params.uri));
    await client.connect(new Transport2(new URL(url)));
    return client as unknown as Reader;
  },
};

const prompts = `prompts:
  - name: review-shot
    description: Reviews a shot.
    arguments:
      - name: shot
        required: true
    template: "Review the shot {{shot}}."
`;

describe.each(Object.keys(clients))('%s', name => {
  test('lists, reads and follows the scene of a host that publishes it, and renders a prompt', async () => {
    const skill_paths = [await skillFolder({ review: { files: { 'prompts.yaml': prompts } } })];
    const { server, service } = await startServer({ skill_paths });
    await server.loadSkill('review');
    const host = (server as unknown as Server).resources();
    const updated: string[] = [];
    const client = await (clients[name] as (typeof clients)[string])(service.mcpUrl(), uri => updated.push(uri));
    onTestFinished(() => client.close());
    const json = async (uri: string) => {
      const { contents } = await client.readResource({ uri });
      return JSON.parse((contents[0] as { text: string }).text) as Record<string, unknown>;
    };

    const { resources } = await client.listResources();
    expect(resources.map(each => each.uri)).toEqual(expect.arrayContaining(['scene://current', 'scene://delta']));
    expect(await json('scene://current')).toMatchObject({ status: 'no_snapshot' });

    await client.subscribeResource({ uri: 'scene://delta' });
    await host.setScene({ name: 'shot_010', nodes: [{ id: 1, x: 0 }] });
    await waitFor(() => updated.length === 1, 'the first revision');
    await host.setScene({ name: 'shot_010', nodes: [{ id: 1, x: 5 }] });
    await waitFor(() => updated.length === 2, 'the second revision');
    expect(new Set(updated)).toEqual(new Set(['scene://delta']));
    const delta = await json('scene://delta');
    expect(delta).toMatchObject({ base_revision: 1, revision: 2 });
    expect(JSON.stringify(delta)).toContain('/nodes/');
    expect(await json('scene://current')).toMatchObject({ nodes: [{ id: 1, x: 5 }] });

    await client.unsubscribeResource({ uri: 'scene://delta' });
    await host.setScene({ name: 'shot_020' });
    await new Promise(resolve => setTimeout(resolve, 150));
    expect(updated.length).toBe(2);

    const listed = await client.listPrompts();
    expect(listed.prompts.map(each => each.name)).toContain('review-shot');
    const rendered = await client.getPrompt({ name: 'review-shot', arguments: { shot: '010' } });
    expect(rendered.messages[0]).toMatchObject({ role: 'user', content: { text: 'Review the shot 010.' } });
  });
});
