/** Web pages as clients of the gateway: preflights and answers on its own routes and on those of the instances. */
import { request } from 'node:http';
import { expect, test } from 'vitest';
import type { ServerOptions } from '../../../plugins/index.ts';
import { gatewayPlugins } from '../../../plugins/index.ts';
import { waitFor } from '../../helper.ts';
import { initializeRequest } from '../../spec/wire.ts';
import { gatewayRig } from './rig.ts';

const page = 'http://localhost:3000';
const evil = 'https://evil.example';

/** fetch forbids setting Origin: this does not. */
function send(url: string, method: string, headers: Record<string, string>, body?: unknown) {
  return new Promise<{ status: number; headers: Record<string, string>; text: string }>((resolve, reject) => {
    const asked = request(url, { method, headers: { 'content-type': 'application/json', ...headers } }, answer => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers as Record<string, string>, text }),
      );
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function rig(options: ServerOptions) {
  const plugins = await Promise.all(gatewayPlugins.map(each => each.load()));
  const tools = [{ definition: { name: 'who', description: 'Says who.' }, handler: () => 'maya' }];
  // Instances that speak CORS themselves must not interfere.
  const made = await gatewayRig(plugins, [{ dcc_type: 'maya', tools, options: { enable_cors: true } }], options);
  const [maya] = made.instances;
  await waitFor(() => made.app.capabilities.ofInstance(String(maya?.id)).length === 1, 'the tool');
  const slug = `maya.${maya?.id8}.who`;
  const paths = [`/mcp/${maya?.id}`, '/mcp/dcc/maya', '/mcp', '/v1/call', '/v1/search', '/v1/instances'];
  return { ...made, paths, slug };
}

const preflight = (origin: string) => ({
  origin,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'content-type,mcp-session-id,mcp-protocol-version,last-event-id',
});

test('with enable_cors a loopback page gets its preflights answered and may read answers; others are refused', async () => {
  const { url, paths, slug } = await rig({ enable_cors: true });
  for (const path of paths) {
    const asked = await send(url + path, 'OPTIONS', preflight(page));
    expect([path, asked.status]).toEqual([path, 204]);
    expect(asked.headers['access-control-allow-origin']).toBe(page);
    const methods = String(asked.headers['access-control-allow-methods']);
    for (const method of ['GET', 'POST', 'DELETE']) expect(methods).toContain(method);
    const allowed = String(asked.headers['access-control-allow-headers']).toLowerCase();
    for (const name of ['content-type', 'mcp-session-id', 'mcp-protocol-version', 'last-event-id']) {
      expect(allowed).toContain(name);
    }
    const refused = await send(url + path, 'OPTIONS', preflight(evil));
    expect([path, refused.status]).toEqual([path, 403]);
    expect(Object.keys(refused.headers).filter(each => each.startsWith('access-control'))).toEqual([]);
  }
  const accept = 'application/json, text/event-stream';
  const answers = [
    ...(await Promise.all(
      paths.slice(0, 3).map(path => send(url + path, 'POST', { origin: page, accept }, initializeRequest())),
    )),
    await send(`${url}/v1/call`, 'POST', { origin: page }, { tool_slug: slug, arguments: {} }),
    await send(`${url}/v1/search`, 'POST', { origin: page }, { query: 'who' }),
    await send(`${url}/v1/instances`, 'GET', { origin: page }),
    // Refusals are answers too: the page shall be able to read why.
    await send(`${url}/mcp/dcc/nuke`, 'POST', { origin: page, accept }, initializeRequest()),
  ];
  expect(answers.map(each => each.status)).toEqual([200, 200, 200, 200, 200, 200, 503]);
  for (const { headers } of answers) {
    expect(headers['access-control-allow-origin']).toBe(page);
    expect(headers['access-control-expose-headers']?.toLowerCase()).toContain('mcp-session-id');
  }
  const foreign = await send(url + paths[0], 'POST', { origin: evil, accept }, initializeRequest());
  expect(foreign.status).toBe(403);
  expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
}, 20_000);

test('without enable_cors no answer and no preflight speaks of CORS, whatever the instance says', async () => {
  const { url, paths } = await rig({});
  const accept = 'application/json, text/event-stream';
  for (const path of paths) {
    const asked = await send(url + path, 'OPTIONS', preflight(page));
    expect(asked.status).toBeGreaterThanOrEqual(400);
    const answer = await send(url + path, 'POST', { origin: page, accept }, initializeRequest());
    for (const { headers } of [asked, answer]) {
      expect(Object.keys(headers).filter(each => each.startsWith('access-control'))).toEqual([]);
    }
  }
}, 20_000);
