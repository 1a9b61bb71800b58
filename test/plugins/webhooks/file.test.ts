/** The file: where it is looked for, what is wrong in it, changes that leave the rest as it was. */
import { lstat, mkdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { webhooksPlugin } from '../../../plugins/webhooks/index.ts';
import { tempDir, testApp, waitFor } from '../../helper.ts';
import { webhooksApp } from './app.ts';
import { receiver } from './receiver.ts';

const entry = (name: string) => `webhooks: [{ name: ${name}, url: "http://127.0.0.1:9", events: [a] }]`;
const namesOf = async (options: object, env: Record<string, string> = {}): Promise<string[]> =>
  (await testApp([webhooksPlugin], options, env)).webhooks.list().map(each => each.name);

test('webhooks_config wins over etc_dir, and that over the home directory; nowhere is none [spec:webhook:file]', async () => {
  const home = await tempDir();
  await mkdir(join(home, 'svc', 'etc'), { recursive: true });
  await mkdir(join(home, 'etc'));
  await writeFile(join(home, 'svc', 'etc', 'webhooks.yaml'), entry('home'));
  await writeFile(join(home, 'etc', 'webhooks.yaml'), entry('etc'));
  await writeFile(join(home, 'own.yaml'), entry('own'));
  const etc_dir = join(home, 'etc');
  const env = { HOME: home };
  expect(await namesOf({ etc_dir, webhooks_config: join(home, 'own.yaml') }, env)).toEqual(['own']);
  expect(await namesOf({ etc_dir }, env)).toEqual(['etc']);
  expect(await namesOf({}, env)).toEqual(['home']);
  expect(await namesOf({ etc_dir: join(home, 'nowhere') }, env)).toEqual([]);
});

const bad: readonly [string, string | Buffer, RegExp][] = [
  ['a tab', 'webhooks:\n\t- name: x\n', /line 2: .*tab/i],
  [
    'an unknown kind',
    'webhooks:\n  - name: x\n    url: http://a\n    events: [a]\n    kind: fax',
    /line 5: "webhooks.0.kind" must be one of .*chatrobot/,
  ],
  [
    'a misspelt key',
    'webhooks:\n  - name: x\n    url: http://a\n    event: [a]\n    events: [a]',
    /line 4: "webhooks.0.event" is not a known field/,
  ],
  ['no events', 'webhooks:\n  - name: x\n    url: http://a\n    events: []', /line 4: "webhooks.0.events"/],
  [
    'an empty pattern',
    'webhooks:\n  - name: x\n    url: http://a\n    events: [a, ""]',
    /line 4: "webhooks.0.events.1"/,
  ],
  [
    'an empty rule',
    'webhooks:\n  - name: x\n    url: http://a\n    events: [a]\n    filters:\n      - {}',
    /line 6: "webhooks.0.filters.0"/,
  ],
  [
    'no attempts',
    'webhooks:\n  - name: x\n    url: http://a\n    events: [a]\n    delivery: { attempts: 0 }',
    /line 5: "webhooks.0.delivery.attempts"/,
  ],
  [
    'a variable without quotes in braces',
    `webhooks:\n  - { name: x, url: \${ROBOT}, events: [a] }`,
    /line 2: a text with \$\{ in it stands in quotes within/,
  ],
  [
    'a variable without quotes in brackets',
    `webhooks:\n  - name: x\n    url: http://a\n    events: [a, \${EVENT}]`,
    /line 4: a text with \$\{ in it stands in quotes within/,
  ],
  ['no room', 'queue_capacity: 0', /line 1: "queue_capacity"/],
  [
    'a file address',
    'webhooks:\n  - name: x\n    url: file:///etc/passwd\n    events: [a]',
    /line 3: "webhooks.0.url" must be an address/,
  ],
  [
    'an unset variable',
    `webhooks:\n  - name: x\n    url: \${ROBOT}\n    events: [a]`,
    /line 3: "webhooks.0.url" .*: ROBOT is not set/,
  ],
  [
    'a broken template',
    'webhooks:\n  - name: x\n    url: http://a\n    events: [a]\n    payload_template: "{{a"',
    /line 5: "webhooks.0.payload_template" Unclosed tag/,
  ],
  [
    'a header of two lines',
    'webhooks:\n  - name: x\n    url: http://a\n    events: [a]\n    headers:\n      x-a: "1\\n2"',
    /line 6: "webhooks.0.headers.x-a"/,
  ],
  [
    'a bad glob',
    'webhooks:\n  - name: x\n    url: http://a\n    events:\n      - tool.*\n      - tool.[fd*',
    /line 6: "webhooks.0.events.1" .*only \* is a wildcard/,
  ],
  [
    'alternatives as other globs have them',
    'webhooks:\n  - name: x\n    url: http://a\n    events: ["tool.{failed,completed}"]',
    /line 4: "webhooks.0.events.0" .*only \* is a wildcard/,
  ],
  [
    'a pattern of blanks',
    'webhooks:\n  - name: x\n    url: http://a\n    events: ["  "]',
    /line 4: "webhooks.0.events.0" /,
  ],
  ['a name of blanks', 'webhooks:\n  - events: [a]\n    url: http://a\n    name: " "', /line 4: "webhooks.0.name" /],
  ['a second document', 'webhooks: []\n---\nwebhooks: []', /line 2: it is more than one document/],
  [
    'a template that is left empty',
    'webhooks:\n  - name: x\n    url: http://a\n    events: [a]\n    payload_template:',
    /line 5: "webhooks.0.payload_template" /,
  ],
  [
    'a header that is of the connection',
    'webhooks:\n  - name: x\n    url: http://a\n    events: [a]\n    headers:\n      Transfer-Encoding: chunked',
    /line 6: "webhooks.0.headers.Transfer-Encoding" /,
  ],
  [
    'events of the rooms of the server among themselves',
    'webhooks:\n  - name: x\n    url: http://a\n    events:\n      - internal.*',
    /line 5: "webhooks.0.events.0" /,
  ],
  [
    'a name twice',
    `webhooks:\n  - { name: x, url: "http://a", events: [a] }\n  - { name: x, url: "http://a", events: [a] }`,
    /line 3: the name "x" is taken/,
  ],
  [
    'a name of more than a line',
    'webhooks:\n  - events: [a]\n    url: http://a\n    name: "x\\ny"',
    /line 4: "webhooks.0.name" is one line of text/,
  ],
  [
    'a name that is too long',
    `webhooks:\n  - events: [a]\n    url: http://a\n    name: ${'x'.repeat(201)}`,
    /line 4: "webhooks.0.name" .*200/,
  ],
  [
    'an anchor that is not there',
    'webhooks:\n  - name: x\n    url: *there\n    events: [a]',
    /line 3: \*there is no anchor/,
  ],
  [
    'a template that makes JSON of nothing',
    `webhooks:\n  - name: x\n    url: http://a\n    events: [a]\n    payload_template: '{"n": {{attributes.n}}'`,
    /line 5: "webhooks.0.payload_template" is no JSON, whatever stands in its placeholders: /,
  ],
  [
    'a text in another encoding',
    Buffer.from('webhooks:\n  - name: caf\u00e9\n    url: http://a\n    events: [a]', 'latin1'),
    /line 2: it is no text in UTF-8/,
  ],
  [
    'aliases that explode',
    `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nwebhooks: [*c,*c,*c,*c,*c,*c,*c,*c,*c]`,
    /alias/i,
  ],
];

test.each(bad)('%s is named at start with its line, and nothing is half applied', async (_, text, message) => {
  await expect(webhooksApp(text)).rejects.toMatchObject({
    code: 'SVC_WEBHOOKS_CONFIG_INVALID',
    message: expect.stringMatching(message),
  });
});

test('a name of an event that looks misspelt is said in the log; events of others are not', async () => {
  const events = ['webhook.*', '*', 'studio.saved', 'webhook.deliveryfailed', 'webhook.began', '*.failed'];
  const hook = { name: 'x', url: 'http://127.0.0.1:9', events };
  const { app } = await webhooksApp(JSON.stringify({ webhooks: [hook] }), { log_level: 'warn' });
  const told = app.kernel.logTail(10).map(each => JSON.parse(each));
  expect(told.map(({ webhook, pattern, msg }) => [webhook, pattern, msg])).toEqual([
    [
      ...['x', 'webhook.deliveryfailed'],
      'no event of this server is called that: did you mean webhook.delivery_failed?',
    ],
    ['x', 'webhook.began', 'no event of this server is called that: there are webhook.delivery_failed'],
  ]);
});

test('a file that somebody named must be there, and be one', async () => {
  const folder = await tempDir();
  for (const webhooks_config of [join(folder, 'gone.yaml'), folder]) {
    await expect(namesOf({ webhooks_config })).rejects.toThrow(`Webhooks of ${webhooks_config} cannot be used`);
  }
});

test.each([
  [{ chatrobot_webhook_url: 'nowhere' }, 'SVC_CHATROBOT_WEBHOOK_URL must be an address'],
  [{ chatrobot_events: ' , ' }, 'SVC_CHATROBOT_EVENTS must NOT have fewer than 1 items'],
  [{ chatrobot_template: '{{a' }, 'SVC_CHATROBOT_TEMPLATE Unclosed tag'],
])('the shortcut with %j is refused at start by the name of its variable', async (options, message) => {
  await expect(webhooksApp('', { chatrobot_webhook_url: 'http://127.0.0.1:9', ...options })).rejects.toMatchObject({
    code: 'SVC_WEBHOOKS_CONFIG_INVALID',
    message: expect.stringContaining(`the environment cannot be used: ${message}`),
  });
});

test('a change keeps comments and other entries, is used at once, and one that is wrong changes nothing', async () => {
  const { url, arrived } = await receiver();
  const text = `# ours\nqueue_capacity: 9 # few\nwebhooks:\n  # the first\n  - name: first\n    url: http://127.0.0.1:9 # somewhere\n    events: [a]\n`;
  const { app, file, bus } = await webhooksApp(text);
  await app.webhooks.put({ name: 'second', url, events: ['b'] });
  const added = await readFile(file, 'utf8');
  expect(added.replaceAll('[ ', '[').replaceAll(' ]', ']').startsWith(text)).toBe(true);
  expect((await stat(file)).mode & 0o077).toBe(0);
  bus.emit<string>('b', {});
  await waitFor(() => arrived.length === 1, 'the deliveries');
  expect(await app.webhooks.test('second')).toBeNull();
  expect(arrived[1]?.body).toMatchObject({ name: 'webhook.test' });
  expect(await app.webhooks.test('first')).toMatch(/ECONNREFUSED/);

  await app.webhooks.put({ name: 'first', url: 'http://127.0.0.1:9', events: ['c'] });
  const changed = await readFile(file, 'utf8');
  for (const comment of ['# ours', '# few', '# the first']) expect(changed).toContain(comment);
  await expect(app.webhooks.put({ name: 'third', url: 'nowhere', events: ['c'] })).rejects.toThrow(
    /must be an address/,
  );
  expect(await readFile(file, 'utf8')).toBe(changed);

  expect([await app.webhooks.remove('second'), await app.webhooks.remove('second')]).toEqual([true, false]);
  expect(app.webhooks.list().map(each => [each.name, each.events])).toEqual([['first', ['c']]]);
});

test.each(['webhooks:\n', 'queue_capacity: 9\nwebhooks: # none yet\n  # below here\n', 'webhooks: ~\n'])(
  '%j has no webhooks, and takes one',
  async text => {
    const { app, file } = await webhooksApp(text);
    expect(app.webhooks.list()).toEqual([]);
    expect(await app.webhooks.entries()).toEqual([]);
    await app.webhooks.put({ name: 'first', url: 'http://127.0.0.1:9', events: ['a'] });
    expect(app.webhooks.list().map(each => each.name)).toEqual(['first']);
    const changed = await readFile(file, 'utf8');
    for (const [comment] of text.matchAll(/#.*/g)) expect(changed).toContain(comment);
  },
);

test('a change of an entry keeps what stands beside its keys, and how they are written where they stay', async () => {
  const text = `webhooks:
  - name: first # mine
    # where to
    url: http://127.0.0.1:9 # somewhere
    events: [a, "b"] # some
    headers: {x-a: "1"}
    delivery:
      # patient
      attempts: 9 # often
`;
  const { app, file } = await webhooksApp(text);
  const url = 'http://127.0.0.1:9';
  const delivery = { attempts: 9 };
  await app.webhooks.put({ name: 'first', url, events: ['a', 'b'], headers: { 'x-a': '1' }, delivery });
  const plain = (yaml: string): string => yaml.replaceAll(/(?<=[[{]) | (?=[\]}])/g, '');
  expect(plain(await readFile(file, 'utf8'))).toBe(text);
  await app.webhooks.put({ name: 'first', url: `${url}/b`, events: ['c'], delivery });
  expect(plain(await readFile(file, 'utf8'))).toBe(`webhooks:
  - name: first # mine
    # where to
    url: http://127.0.0.1:9/b # somewhere
    events: [c] # some
    delivery:
      # patient
      attempts: 9 # often
`);
});

test.each(['\n', '\r\n'])(
  'a change leaves other entries byte for byte as they were, with lines that end in %j',
  async end => {
    const text = [
      '# ours',
      'webhooks:',
      '  - { name: a, url: "http://127.0.0.1:9",   events: ["x", y], headers: {x-a: \'1\'} } # one',
      '',
      '  - name: b',
      '    url: http://127.0.0.1:9',
      '    events: [x]',
      '  - name: c # three',
      '    events: [x,  "y"]',
      '    # where',
      '    url: >-',
      '      http://127.0.0.1:9',
      '    delivery: {attempts: 2}',
      '',
    ].join(end);
    const { app, file } = await webhooksApp(text);
    await app.webhooks.put({ name: 'b', url: 'http://127.0.0.1:8', events: ['x'] });
    const changed = text.replace(`:9${end}    events: [x]`, `:8${end}    events: [ x ]`);
    const plain = (yaml: string): string => yaml.replace('[ x ]', '[x]');
    expect(plain(await readFile(file, 'utf8'))).toBe(plain(changed));
    await app.webhooks.put({ name: 'd', url: 'http://127.0.0.1:8', events: ['x'] });
    await app.webhooks.remove('d');
    expect(plain(await readFile(file, 'utf8'))).toBe(plain(changed));
  },
);

test('a change of a file that is a link goes where it points', async () => {
  const { app, file } = await webhooksApp(entry('a'));
  const real = `${file}.real`;
  await rename(file, real);
  await symlink(real, file);
  await app.webhooks.put({ name: 'b', url: 'http://127.0.0.1:9', events: ['x'] });
  expect((await lstat(file)).isSymbolicLink()).toBe(true);
  expect(await readFile(real, 'utf8')).toContain('name: b');
});

test('the robot takes the place of any chatrobot and of no other entry; its address is not shown [spec:webhook:edits]', async () => {
  const text = `webhooks:\n  - { name: mine, url: "http://127.0.0.1:9/a", events: [a] }\n  - { name: robot, kind: wecom, url: "http://127.0.0.1:9/?key=1", events: [a] }\n`;
  const { app } = await webhooksApp(text);
  const robot = {
    name: 'chatrobot-message-push',
    kind: 'chatrobot',
    url: 'http://127.0.0.1:9/?key=geheim',
    events: ['b'],
  };
  await app.webhooks.put(robot);
  expect(app.webhooks.list().map(each => [each.name, each.kind])).toEqual([
    ['mine', 'generic'],
    ['chatrobot-message-push', 'chatrobot'],
  ]);
  expect(JSON.stringify(app.webhooks.list())).not.toContain('geheim');
});
