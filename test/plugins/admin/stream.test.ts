/** The stream of the admin page over a real socket: state first, then what changes; nothing is heard while nobody reads. */
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { expect, onTestFinished, test } from 'vitest';
import type { Frame, Hello } from '../../../plugins/admin/frames.ts';
import { adminPlugin } from '../../../plugins/admin/index.ts';
import { gatewayRestPlugin } from '../../../plugins/gateway/rest/index.ts';
import { waitFor } from '../../helper.ts';
import { startGateway, startInstance } from '../gateway/rig.ts';
import { raw, startHost, toolsOfHost } from '../gateway/support.ts';

const plugins = [gatewayRestPlugin, adminPlugin];

/** Everything that the stream said so far. */
async function follow(url: string) {
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const answer = await fetch(`${url}/admin/api/stream`, { signal: gone.signal });
  expect(answer.headers.get('content-type')).toContain('text/event-stream');
  const hellos: Hello[] = [];
  const frames: Frame[] = [];
  const body = answer.body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  void (async () => {
    for await (const { event, data } of body ?? []) {
      if (event === 'hello') hellos.push(JSON.parse(data) as Hello);
      else frames.push(JSON.parse(data) as Frame);
    }
  })().catch(() => undefined);
  return { hellos, frames, close: () => gone.abort() };
}

test('instances, calls, events and points come as they happen, to every page', async () => {
  const { app, url, registry_dir, backend } = await startGateway(plugins);
  const host = await startHost(registry_dir, { setup: toolsOfHost });
  await backend(host.id);
  await app.capabilities.refresh();
  const first = await follow(url);
  await waitFor(() => first.hellos[0], 'the first message');
  expect(first.hellos[0]?.instances).toEqual([expect.objectContaining({ instance_id: host.id, status: 'available' })]);
  const second = await follow(url);
  await waitFor(() => second.hellos[0], 'the first message of the second page');

  const call = (name: string, id: string) =>
    raw(url, '/v1/call', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': id },
      body: JSON.stringify({ tool_slug: `maya.${host.short}.${name}`, arguments: { text: 'x' } }),
    });
  await Promise.all(Array.from({ length: 60 }, (_, n) => call('echo', `echo-${n}`)));
  await call('throws', 'broken');
  for (const { frames } of [first, second]) {
    const told = () => frames.flatMap(each => each.calls ?? []);
    await waitFor(() => told().some(each => each.rows.some(row => row.request_id === 'broken')), 'the failed call');
    expect(told().reduce((sum, each) => sum + each.count, 0)).toBe(61);
    expect(told().reduce((sum, each) => sum + each.failed, 0)).toBe(1);
    // Of many, the newest.
    for (const each of told()) expect(each.rows.length).toBeLessThanOrEqual(25);
    const rows = told().flatMap(each => each.rows);
    expect(rows.find(each => each.request_id === 'broken')).toMatchObject({
      ...{ tool: `maya.${host.short}.throws`, success: false, instance_id: host.id, transport: 'rest' },
      ...{
        trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        duration_ms: expect.any(Number),
        error_kind: 'handler_error',
      },
    });
    await waitFor(() => frames.some(each => each.points?.some(point => point.calls > 0)), 'a point');
  }
  expect(first.frames.length).toBeLessThan(40);

  const added = await startInstance(registry_dir, { dcc_type: 'blender' });
  const rowsOf = () => first.frames.flatMap(each => each.instances?.rows ?? []);
  await waitFor(() => rowsOf().some(each => each.instance_id === added.id), 'the instance that came');
  await added.server.close();
  const goneOf = () => first.frames.flatMap(each => each.instances?.gone ?? []);
  await waitFor(() => goneOf().includes(added.id), 'the instance that went');
  await waitFor(() => first.frames.some(each => each.events?.some(event => event.dcc_type === 'blender')), 'its event');

  await startHost(registry_dir, { setup: toolsOfHost });
  await waitFor(() => first.frames.some(each => each.tools === true), 'that a search finds other tools');
});

test('the state comes again to who comes again, and an open page does not keep the gateway from ending', async () => {
  const { app, url } = await startGateway(plugins);
  const page = await follow(url);
  await waitFor(() => page.hellos[0], 'the first message');
  page.close();
  const last = await follow(url);
  await waitFor(() => last.hellos[0], 'the first message again');
  expect(last.hellos[0]?.start).toBe(page.hellos[0]?.start);
  const began = Date.now();
  await app.close();
  expect(Date.now() - began).toBeLessThan(5000);
});
