/** Jobs of one caller are no other's: polled, followed, cancelled and listed at the gateway, and at an instance itself. */
import { expect, test } from 'vitest';
import type { ServerOptions } from '../../../../plugins/index.ts';
import { gatewayOver } from '../support.ts';

const tokens = { one: 'a-token-of-the-first-one', two: 'a-token-of-the-second-one', admin: 'a-token-of-an-admin' };
const auth_tokens: ServerOptions['auth_tokens'] = [
  { label: 'one', token: tokens.one, scopes: ['call'] },
  { label: 'two', token: tokens.two, scopes: ['call'] },
  { label: 'admin', token: tokens.admin, scopes: ['admin'] },
];

function asking(url: string) {
  return async (token: string, method: string, path: string, body?: object) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
      accept: path.endsWith('events') ? 'text/event-stream' : 'application/json',
    };
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return {
      status: answer.status,
      text: path.endsWith('events') ? '' : await answer.text(),
      end: () => answer.body?.cancel(),
    };
  };
}

const bake = { name: 'bake', execution: 'async' as const };

test.each([
  ['an instance without tokens', {}],
  ['an instance with tokens', { auth_tokens }],
] as const)('over %s', async (_what, options: ServerOptions) => {
  const { url, hosts } = await gatewayOver(
    [
      {
        dcc_type: 'maya',
        options,
        setup: server => {
          void server.registerTool(bake, (_args, { signal }) => {
            return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('off'))));
          });
        },
      },
    ],
    { auth_tokens },
  );
  const short = hosts[0]?.short;
  const follow = async (ask: ReturnType<typeof asking>, prefix: string, builtins: boolean) => {
    const call = (token: string, tool: string, args: object = {}) =>
      ask(token, 'POST', '/v1/call', { tool_slug: `${prefix}${tool}`, arguments: args });
    const found = await ask(tokens.one, 'POST', '/v1/search', { query: 'bake' });
    const slug = builtins ? 'bake' : String(/[a-z.]*\.bake/.exec(found.text)).slice(prefix.length);
    const begun = await call(tokens.one, slug);
    const job_id = /"job_id":"([^"]+)"/.exec(begun.text.replaceAll('\\', ''))?.[1] ?? begun.text;
    const known = async (token: string) => {
      if (!builtins) return (await ask(token, 'GET', '/v1/jobs')).text.includes(job_id);
      const text = (await call(token, 'jobs_get_status', { job_id })).text.replaceAll('\\', '');
      return text.includes('"status":"running"') || text.includes('"status":"pending"');
    };
    const listed = async (token: string) => (await ask(token, 'GET', '/v1/jobs')).text.includes(job_id);
    const followed = async (token: string) => {
      const { status, end } = await ask(token, 'GET', `/v1/jobs/${job_id}/events`);
      await end();
      return status;
    };
    expect([await known(tokens.two), await listed(tokens.two), await followed(tokens.two)]).toEqual([
      false,
      false,
      404,
    ]);
    // Over REST an instance has the tools of its host alone.
    if (builtins) expect((await call(tokens.two, 'jobs_cancel', { job_id })).text).toContain('is not known');
    expect((await ask(tokens.two, 'DELETE', `/v1/jobs/${job_id}`)).status).toBe(404);
    if (builtins) expect((await call(tokens.two, 'jobs_cleanup', { older_than_hours: 0 })).text).toContain('admin');
    for (const token of [tokens.one, tokens.admin]) {
      expect([await known(token), await listed(token), await followed(token)]).toEqual([true, true, 200]);
    }
    expect((await ask(tokens.one, 'DELETE', `/v1/jobs/${job_id}`)).status).toBe(204);
  };
  await follow(asking(url), `maya.${short}.`, true);
  const instance = hosts[0]?.url.replace(/\/mcp$/, '');
  if ('auth_tokens' in options) await follow(asking(String(instance)), 'maya.', false);
});
