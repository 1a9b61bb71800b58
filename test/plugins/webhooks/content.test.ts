/** What is sent: filters, payload and message templates, the chat robot. */
import { expect, test } from 'vitest';
import { waitFor } from '../../helper.ts';
import { webhooksApp } from './app.ts';
import { receiver } from './receiver.ts';

/** What arrives of `attributes`, with these keys in the webhook. */
async function sent(keys: string, attributes: Record<string, unknown> = {}, name = 'tool.failed') {
  const { url, arrived } = await receiver();
  const { bus } = await webhooksApp(`webhooks:\n  - name: here\n    url: ${url}\n    events: ['*']\n${keys}`);
  bus.emit<string>(name, { source: { dcc_type: 'maya', instance_id: 'i1' }, attributes });
  await waitFor(() => arrived.length === 1, 'the deliveries');
  return arrived[0]?.body;
}

test('payload_template: placeholders are paths of the envelope; texts raw, others as JSON, what is missing empty [spec:webhook:body]', async () => {
  const body = await sent(
    `    payload_template:
      text: 'Tool {{attributes.tool_slug}} after {{ attributes.duration_ms }} ms: {{attributes.nothing}}'
      nested: [{ list: '{{attributes.list}}' }, 7, null]
      from: '{{source.dcc_type}}'
      own: '{{attributes.constructor}}{{constructor.name}}'`,
    { tool_slug: 'a "quoted"\nslug', duration_ms: 1.5, list: [1, { a: '<b>' }] },
  );
  expect(body).toEqual({
    text: 'Tool a "quoted"\nslug after 1.5 ms: ',
    nested: [{ list: '[1,{"a":"<b>"}]' }, 7, null],
    from: 'maya',
    own: '',
  });
});

test('what a caller chose as its id goes out without the credential in it; the rest of the envelope stays', async () => {
  const { url, arrived } = await receiver();
  const { bus } = await webhooksApp(`webhooks: [{ name: here, url: "${url}", events: ['*'] }]`);
  const token = `${'gl'}pat-${'Ab3dEf6hIj9l'.repeat(2)}`;
  bus.emit<string>('tool.failed', { correlation: { request_id: token, session_id: 's-1' }, attributes: { a: 1 } });
  await waitFor(() => arrived.length === 1, 'the delivery');
  expect(arrived[0]?.body).toMatchObject({
    correlation: { request_id: '[redacted]', session_id: 's-1' },
    attributes: { a: 1 },
  });
});

test('payload_template as text: a template of JSON, in which placeholders may be numbers and texts stay texts', async () => {
  const body = await sent(
    `    payload_template: '{ "ms": {{attributes.duration_ms}}, "why": "{{attributes.error_message}}" }'`,
    { duration_ms: 3, error_message: 'no "light", no\nshadow {{name}}' },
  );
  expect(body).toEqual({ ms: 3, why: 'no "light", no\nshadow {{name}}' });
});

test('a text that is JSON already is safe to fill in, and one that makes no JSON of an event is told', async () => {
  expect(await sent(`    payload_template: '{"a": "{{attributes.a}}"}'`, { a: '","b":"' })).toEqual({ a: '","b":"' });
  const { bus, app } = await webhooksApp(
    `webhooks: [{ name: x, url: "http://127.0.0.1:9", events: ["a.b"], payload_template: '{ "n": {{attributes.n}} }' }]`,
  );
  bus.emit<string>('a.b', {});
  expect(app.webhooks.list()[0]).toMatchObject({ failed: 1, last_error: expect.stringContaining('makes no JSON') });
});

test('kind chatrobot: a markdown message with its variables in both spellings [spec:webhook:chatrobot]', async () => {
  const template =
    '$event|$event_name|$dcc-type|$dcc_type|$instance-id|$tool-slug|$tool|$skill-name|$url|$attributes.error_message|$5|{{name}}|$constructor$__proto__$toString';
  const body = await sent(`    kind: chatrobot\n    message_template: '${template}'`, {
    tool_slug: 'maya.s.t',
    skill_name: 's',
    mcp_url: 'http://x/mcp',
    error_message: 'costs $event',
  });
  expect(body).toEqual({
    msgtype: 'markdown',
    markdown: {
      content: 'tool.failed|tool.failed|maya|maya|i1|maya.s.t|maya.s.t|s|http://x/mcp|costs $event|$5|tool.failed|',
    },
  });
});

test('the shortcut of the environment needs no file, and tells of failures unless told otherwise [spec:webhook:shortcut]', async () => {
  const { url, arrived } = await receiver();
  const { bus, app } = await webhooksApp('', { chatrobot_webhook_url: `${url}/robot` });
  bus.emit<string>('tool.completed', {});
  bus.emit<string>('tool.failed', { source: { dcc_type: 'maya' }, attributes: { tool_slug: 'maya.a.b' } });
  await waitFor(() => arrived.length === 1, 'the deliveries');
  expect(arrived[0]?.body.markdown.content).toBe('svc: tool.failed\nDCC: maya\nTool: maya.a.b\nURL: ');
  expect(app.webhooks.list()).toMatchObject([{ name: 'chatrobot-message-push', kind: 'chatrobot' }]);
  const other = await webhooksApp('', {
    chatrobot_webhook_url: url,
    chatrobot_events: 'skill.loaded\n job.*',
    chatrobot_template: 'Skill $skill-name',
  });
  expect(other.app.webhooks.list()[0]?.events).toEqual(['skill.loaded', 'job.*']);
  other.bus.emit('skill.loaded', { attributes: { skill_name: 'rig' } });
  await waitFor(() => arrived.length === 2, 'the deliveries');
  expect(arrived[1]?.body.markdown.content).toBe('Skill rig');
});

test.each([
  ['a rule whose every condition holds', '[{ attributes.tool_slug: "maya.*.bake", source.dcc_type: maya }]', true],
  ['one condition that does not', '[{ attributes.tool_slug: "maya.*.bake", source.dcc_type: houdini }]', false],
  ['any of two rules', '[{ source.dcc_type: houdini }, { attributes.ms: 5 }]', true],
  ['no path like that', '[{ attributes.missing: "*" }]', false],
  ['a star in the middle and at the end of a repeated part', '[{ attributes.twice: "*a" }]', true],
  ['letters of another case', '[{ source.dcc_type: "MAY*" }]', false],
  ['a mark that is no negation', '[{ attributes.mark: "!x*" }]', true],
  ['a folder of Windows', "[{ attributes.path: 'C:\\shots\\*' }]", true],
  ['a switch', '[{ attributes.on: false }]', true],
])('filters: %s [spec:webhook:filters]', async (_, filters, passes) => {
  const { url, arrived } = await receiver();
  const { bus, app } = await webhooksApp(
    `webhooks:\n  - { name: f, url: "${url}", events: ["tool.failed"], filters: ${filters} }\n  - { name: all, url: "${url}/all", events: ["tool.failed"] }`,
  );
  const attributes = {
    tool_slug: 'maya.scene.bake',
    ms: 5,
    twice: 'aXa',
    on: false,
    mark: '!xy',
    path: 'C:\\shots\\a',
  };
  bus.emit<string>('tool.failed', { source: { dcc_type: 'maya' }, attributes });
  await waitFor(
    () => app.webhooks.list().every(each => each.waiting === 0) && arrived.some(each => each.path === '/all'),
    'the deliveries',
  );
  await app.close();
  expect(arrived.some(each => each.path === '/')).toBe(passes);
});
