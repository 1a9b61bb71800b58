/** Deliveries over real sockets: order, attempts, limits, what is told when they fail. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { waitFor } from '../../helper.ts';
import { webhooksApp } from './app.ts';
import { type Answer, ok, receiver } from './receiver.ts';

const hook = (url: string, more = '') => `webhooks:
  - name: here
    url: ${url}
    events: [tool.*]
    delivery: { attempts: 2, timeout_ms: 300, backoff_ms: [1] }
${more}`;

test('an event is posted as its envelope, with its id and name as headers [spec:webhook:headers]', async () => {
  const { url, arrived } = await receiver();
  const { bus } = await webhooksApp(
    hook(`${url}/in?key=\${KEY}`, `    headers: { Authorization: "Bearer \${TOKEN}" }`),
    {},
    { KEY: 'k1', TOKEN: 't1' },
  );
  bus.emit('skill.loaded', { attributes: { skill_name: 'no' } });
  const event = bus.emit<string>('tool.failed', {
    source: { dcc_type: 'maya' },
    correlation: { request_id: 'r1' },
    attributes: { tool_slug: 'maya.scene.open', [Symbol.for('svc.tool.arguments')]: { secret: 1 } },
  });
  await waitFor(() => arrived.length === 1, 'the deliveries');
  expect(arrived[0]?.path).toBe('/in?key=k1');
  expect(arrived[0]?.body).toEqual(JSON.parse(JSON.stringify(event)));
  expect(arrived[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-svc-event-id': event.id,
    'x-svc-event-name': 'tool.failed',
    authorization: 'Bearer t1',
  });
});

test('an event that two patterns name arrives once; what a gateway asked for is the gateway’s to tell', async () => {
  const { url, arrived } = await receiver();
  const { bus } = await webhooksApp(
    `webhooks: [{ name: a, url: "${url}", events: ["tool.failed", "tool.*", "*.failed"] }]`,
  );
  bus.emit<string>('tool.failed', { source: { via: 'gateway' } });
  bus.publish('tool.failed', { legacy: true });
  bus.emit<string>('tool.failed', { attributes: { n: 1 } });
  bus.emit<string>('render.failed', { attributes: { n: 2 } });
  bus.emit<string>('render.done', { attributes: { n: 3 } });
  await waitFor(() => arrived.length >= 2, 'the deliveries');
  expect(arrived.map(each => each.body.attributes.n)).toEqual([1, 2]);
});

test('while the loop is busy deliveries rest in between; all arrive, in order', async () => {
  const { url, arrived } = await receiver();
  const { bus } = await webhooksApp(hook(url));
  // Never idle, and so busy; counted in turns, of which a slow machine has no more.
  let turns = 0;
  let spinning = true;
  const spin = (): void => {
    turns += 1;
    if (spinning) setImmediate(spin);
  };
  spin();
  const numbers = Array.from({ length: 60 }, (_, n) => n);
  for (const n of numbers) bus.emit<string>('tool.completed', { attributes: { n } });
  await waitFor(() => arrived.length >= 5, 'some deliveries');
  const [before, first] = [arrived.length, turns];
  await waitFor(() => arrived.length >= before + 20, 'more deliveries');
  expect((turns - first) / (arrived.length - before)).toBeGreaterThan(200);
  spinning = false;
  await waitFor(() => arrived.length === 60, 'the deliveries');
  expect(arrived.map(each => each.body.attributes.n)).toEqual(numbers);
});

test('what fails is tried again after its backoff, and the order of events stays', async () => {
  const { url, arrived } = await receiver((response, count) => void response.writeHead(count === 1 ? 503 : 200).end());
  const { app, bus } = await webhooksApp(hook(url));
  for (const n of [1, 2, 3]) bus.emit<string>('tool.completed', { attributes: { n } });
  await waitFor(() => arrived.length === 4, 'the deliveries');
  expect(arrived.map(each => each.body.attributes.n)).toEqual([1, 1, 2, 3]);
  await waitFor(() => app.webhooks.list()[0]?.delivered === 3, 'the deliveries');
  expect(app.webhooks.list()[0]).toMatchObject({ waiting: 0, failed: 0, dropped: 0, last_error: null });
});

const failing: Record<string, { answer: Answer; error: string }> = {
  'answers 500': { answer: response => void response.writeHead(500).end(), error: 'it answered 500' },
  'redirects for ever': {
    answer: response => void response.writeHead(307, { location: '/again' }).end(),
    error: 'it answered 307, and redirects are not followed',
  },
  hangs: { answer: () => undefined, error: 'no answer within 300 ms' },
  resets: { answer: response => void response.socket?.resetAndDestroy(), error: 'ECONNRESET|other side closed' },
};

test.each(Object.entries(failing))(
  'a receiver that %s: webhook.delivery_failed tells it, and no address with its secrets [spec:event:webhook.delivery_failed]',
  async (_, { answer, error }) => {
    const { url } = await receiver(answer);
    const robots = await receiver();
    const { bus } = await webhooksApp(
      `${hook(`${url}/hook?key=s3cret`)}
  - { name: told, url: "${robots.url}", events: [webhook.delivery_failed] }`,
    );
    const event = bus.emit<string>('tool.completed', {});
    await waitFor(() => robots.arrived.length === 1, 'the deliveries');
    expect(robots.arrived[0]?.body).toMatchObject({
      name: 'webhook.delivery_failed',
      source: { service: 'svc', webhook: 'here' },
      correlation: { event_id: event.id, event_name: 'tool.completed' },
      attributes: {
        webhook: 'here',
        url: `${url}/hook?[redacted]`,
        attempts: 2,
        error: expect.stringMatching(new RegExp(error)),
      },
    });
  },
);

test('two webhooks that fail do not tell each other for ever', async () => {
  const { url, arrived } = await receiver(response => void response.writeHead(500).end());
  const entry = (name: string, events: string) =>
    `  - { name: ${name}, url: "${url}/${name}", events: [${events}], delivery: { attempts: 1 } }\n`;
  const { app, bus } = await webhooksApp(
    `webhooks:\n${entry('a', 'tool.failed, webhook.delivery_failed')}${entry('b', 'webhook.delivery_failed')}`,
  );
  bus.emit<string>('tool.failed', {});
  await waitFor(() => app.webhooks.list().every(each => each.failed === 1), 'the deliveries');
  expect(arrived.map(each => each.path)).toEqual(['/a', '/b']);
});

test('an answer of a gigabyte is not read', async () => {
  const { url, arrived } = await receiver(response => {
    const part = Buffer.alloc(1 << 20);
    const write = (): void => {
      while (!response.destroyed && response.write(part));
    };
    response.writeHead(200);
    response.on('drain', write);
    write();
  });
  const { app, bus } = await webhooksApp(hook(url));
  const before = process.memoryUsage().rss;
  for (const n of [1, 2, 3]) bus.emit<string>('tool.completed', { attributes: { n } });
  await waitFor(() => app.webhooks.list()[0]?.delivered === 3, 'the deliveries');
  expect(arrived).toHaveLength(3);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 << 20);
});

test('a full queue drops the newest events and says how many; the emitter never waits [spec:limit:webhooks]', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  const { url, arrived } = await receiver(response => void held.then(() => ok(response, 0)));
  const { app, bus } = await webhooksApp(`queue_capacity: 2
webhooks: [{ name: here, url: "${url}", events: ["tool.completed"], delivery: { timeout_ms: 5000 } }]`);
  bus.emit<string>('tool.completed', { attributes: { n: 0 } });
  await waitFor(() => arrived.length === 1, 'the deliveries');
  for (const n of [1, 2, 3, 4, 5]) bus.emit<string>('tool.completed', { attributes: { n } });
  expect(app.webhooks.list()[0]).toMatchObject({ waiting: 2, dropped: 3 });
  release();
  await waitFor(() => arrived.length === 3, 'the deliveries');
  expect(arrived.map(each => each.body.attributes.n)).toEqual([0, 1, 2]);
});

test('a webhook that hangs holds up no other, and closing waits no longer than the time for it', async () => {
  const dead = await receiver(() => undefined);
  const alive = await receiver();
  const { app, bus } = await webhooksApp(
    `webhooks:
  - { name: dead, url: "${dead.url}", events: ["tool.*"], delivery: { timeout_ms: 60000 } }
  - { name: alive, url: "${alive.url}", events: ["tool.*"] }`,
    { webhooks_flush_ms: 50 },
  );
  for (let n = 0; n < 20; n += 1) bus.emit<string>('tool.completed', { attributes: { n } });
  await waitFor(() => alive.arrived.length === 20, 'the deliveries');
  expect(alive.arrived.map(each => each.body.attributes.n)).toEqual([...Array(20).keys()]);
  const began = performance.now();
  await app.close();
  expect(performance.now() - began).toBeLessThan(5000);
});

test('webhooks of one address that hang hold up no other of it', async () => {
  const { url, arrived } = await receiver((response, count) => {
    if (arrived[count - 1]?.path === '/alive') ok(response, count);
  });
  const hanging = Array.from({ length: 6 }, (_, n) => n);
  const { app, bus } = await webhooksApp(
    `webhooks:
${hanging.map(n => `  - { name: dead-${n}, url: "${url}/dead", events: ["tool.*"], delivery: { timeout_ms: 60000 } }`).join('\n')}
  - { name: alive, url: "${url}/alive", events: ["tool.*"], delivery: { attempts: 1 } }`,
    { webhooks_flush_ms: 50 },
  );
  for (const n of [1, 2, 3]) bus.emit<string>('tool.completed', { attributes: { n } });
  const alive = () => app.webhooks.list().find(each => each.name === 'alive');
  await waitFor(() => (alive()?.delivered ?? 0) + (alive()?.failed ?? 0) === 3, 'the deliveries');
  expect(alive()).toMatchObject({ delivered: 3, failed: 0 });
});

test('an answer that never ends is a delivery, and takes no more than one connection', async () => {
  let open = 0;
  let most = 0;
  const { url, arrived } = await receiver(response => {
    open += 1;
    most = Math.max(most, open);
    response.on('close', () => {
      open -= 1;
    });
    response.writeHead(200).write('.');
  });
  const { app, bus } = await webhooksApp(hook(url));
  for (let n = 0; n < 6; n += 1) bus.emit<string>('tool.completed', { attributes: { n } });
  const state = () => app.webhooks.list()[0];
  await waitFor(() => (state()?.delivered ?? 0) + (state()?.failed ?? 0) === 6, 'the deliveries');
  expect(state()).toMatchObject({ delivered: 6, failed: 0 });
  expect(arrived.map(each => each.body.attributes.n)).toEqual([0, 1, 2, 3, 4, 5]);
  // One that ends and the next may meet.
  expect(most).toBeLessThanOrEqual(2);
});

test('closing delivers what still waits', async () => {
  const { url, arrived } = await receiver();
  const { app, bus } = await webhooksApp(hook(url));
  for (let n = 0; n < 50; n += 1) bus.emit<string>('tool.completed', { attributes: { n } });
  await app.close();
  expect(arrived).toHaveLength(50);
});

test.each([
  ['delivers it and what waits behind it', ok, [1, 1, 2, 3], { delivered: 3, failed: 0, last_error: null }],
  ['gives up after its time', () => undefined, [1, 1], { delivered: 0, failed: 3, last_error: 'the server stopped' }],
] satisfies [string, Answer, number[], object][])(
  'a closing between two attempts makes the next at once: it %s',
  async (_, answer, numbers, state) => {
    const { url, arrived } = await receiver((response, count) => {
      if (count === 1) response.writeHead(503).end();
      else answer(response, count);
    });
    const { app, bus } = await webhooksApp(
      `webhooks: [{ name: here, url: "${url}", events: ["tool.*"], delivery: { timeout_ms: 600000, backoff_ms: [3600000] } }]`,
      { webhooks_flush_ms: 1000 },
    );
    for (const n of [1, 2, 3]) bus.emit<string>('tool.completed', { attributes: { n } });
    await waitFor(() => arrived.length === 1, 'the first attempt');
    await app.close();
    expect(arrived.map(each => each.body.attributes.n)).toEqual(numbers);
    expect(app.webhooks.list()[0]).toMatchObject(state);
  },
);

test('a name that is no whole text harms no delivery, neither its own nor the next', async () => {
  const { url, arrived } = await receiver();
  const { bus } = await webhooksApp(`webhooks: [{ name: here, url: "${url}", events: ["studio.*"] }]`);
  for (const name of ['studio.\ud800', 'studio.\u00e9t\u00e9\nx: y']) bus.emit<string>(name, {});
  await waitFor(() => arrived.length === 2, 'the deliveries');
  expect(arrived.map(each => [each.body.name, each.headers['x-svc-event-name']])).toEqual([
    ['studio.\ud800', 'studio.%EF%BF%BD'],
    ['studio.\u00e9t\u00e9\nx: y', 'studio.%C3%A9t%C3%A9%0Ax:%20y'],
  ]);
});

test('a name and a password in the address are sent as such, and not shown; a header of its own wins', async () => {
  const { url, arrived } = await receiver();
  const address = url.replace('//', '//ada:p%40ss@');
  const { app, bus } = await webhooksApp(`webhooks:
  - { name: a, url: "${address}", events: ["tool.*"] }
  - { name: b, url: "${address}", events: ["tool.*"], headers: { Authorization: Bearer x } }`);
  bus.emit<string>('tool.completed', {});
  await waitFor(() => arrived.length === 2, 'the deliveries');
  const basic = `Basic ${Buffer.from('ada:p@ss').toString('base64')}`;
  expect(arrived.map(each => each.headers.authorization).sort()).toEqual([basic, 'Bearer x']);
  expect(JSON.stringify(app.webhooks.list())).not.toMatch(/ada|p%40ss|p@ss/);
});

test('webhooks_refuse_private: loopback by name is not reached', async () => {
  const { url, arrived } = await receiver();
  const { app, bus } = await webhooksApp(hook(url.replace('127.0.0.1', 'localhost')), {
    webhooks_refuse_private: true,
  });
  bus.emit<string>('tool.completed', {});
  await waitFor(() => app.webhooks.list()[0]?.failed === 1, 'the deliveries');
  expect(app.webhooks.list()[0]?.last_error).toMatch(/is no public address, and webhooks_refuse_private is on/);
  expect(arrived).toEqual([]);
});

test('webhooks_refuse_private: numbers are refused at start, from the file, the shortcut and who edits', async () => {
  const on = { webhooks_refuse_private: true };
  const refused = /is refused: \S+ is no public address, and webhooks_refuse_private is on/;
  for (const host of ['127.0.0.1', '10.1.2.3', '2130706433', '[::1]', '[::ffff:127.0.0.1]']) {
    const text = hook(`http://${host}:9/`);
    await expect(webhooksApp(text, on), host).rejects.toThrow(/line \d+: "webhooks.0.url" is refused/);
    await expect(webhooksApp(text, on), host).rejects.toThrow(refused);
  }
  const robot = { chatrobot_webhook_url: 'http://192.168.1.2/' };
  await expect(webhooksApp('', { ...on, ...robot })).rejects.toThrow(/SVC_CHATROBOT_WEBHOOK_URL is refused/);
  const { app, file } = await webhooksApp(hook('http://8.8.8.8/'), on);
  const before = await readFile(file, 'utf8');
  const entry = { name: 'inside', url: 'http://169.254.169.254/', events: ['tool.*'] };
  await expect(app.webhooks.put(entry)).rejects.toThrow(refused);
  expect(await readFile(file, 'utf8')).toBe(before);
});
