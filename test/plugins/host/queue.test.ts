import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { channelOf, createPort } from '../../../kernel/index.ts';
import type { HostHandler } from '../../../plugins/host/api.ts';
import { createHostBridge } from '../../../plugins/host/bridge.ts';
import { handlerRunner, type NamedHandler } from '../../../plugins/host/handlers.ts';
import { createHostQueue } from '../../../plugins/host/queue.ts';
import { createSlots, openSlots } from '../../../plugins/host/slots.ts';
import type { ToolCall } from '../../../plugins/tools/api.ts';

/** Both sides of the bridge over a real MessageChannel in one thread. */
function bridge(size = 64, sliceMs = 4) {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const kept = new Map<number, NamedHandler>();
  const handlers = {
    add(name: string, handler: HostHandler) {
      const key = kept.size + 1;
      kept.set(key, { name, handler });
      return { key, remove: () => void kept.delete(key) };
    },
  };
  const slots = createSlots(size);
  const hostSlots = openSlots(slots.memory);
  createPort(
    channelOf(port2, () => undefined),
    createHostQueue({ run: handlerRunner(kept), slots: () => hostSlots, sliceMs: () => sliceMs }),
  );
  const server = createPort(
    channelOf(port1, () => undefined),
    {},
  );
  return { handlers, slots, runner: createHostBridge(server, slots, Date.now) };
}

const callOf = (parts: Partial<ToolCall> = {}): ToolCall =>
  ({
    requestId: 1,
    meta: {},
    deadline: Date.now() + 5000,
    signal: new AbortController().signal,
    progress: () => undefined,
    log: () => undefined,
    onAbort: () => () => undefined,
    ...parts,
  }) as ToolCall;

const burn = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

test('a burst is drained in slices: the host gets turns in between, several calls per slice', async () => {
  const { handlers, runner } = bridge();
  const turns: number[] = [];
  let ran = 0;
  const { key } = handlers.add('burn', () => {
    ran += 1;
    burn(2);
    return null;
  });
  const turn = (): void => {
    turns.push(ran);
    if (ran < 40) setImmediate(turn);
  };
  const all = Promise.all(Array.from({ length: 40 }, () => runner.run(key, {}, callOf())));
  turn();
  await all;
  const perTurn = turns.slice(1).map((each, index) => each - (turns[index] as number));
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(3);
  expect(perTurn.filter(each => each > 1).length).toBeGreaterThan(5);
});

test('calls run in the order they came; objects arrive as text that was made once', async () => {
  const { handlers, runner } = bridge();
  const order: unknown[] = [];
  const { key } = handlers.add('x', ({ n }) => {
    order.push(n);
    return { n, success: true };
  });
  const results = await Promise.all([1, 2, 3].map(n => runner.run(key, { n }, callOf())));
  expect(order).toEqual([1, 2, 3]);
  expect(results[0]).toEqual({ svcToolText: true, json: '{"n":1,"success":true}', kind: 'object', success: true });
});

test('texts, numbers, lists, nothing and MCP results keep their kind', async () => {
  const { handlers, runner } = bridge();
  const values: unknown[] = ['text', 7, null, undefined, [1], { content: [] }, new Date(0)];
  const results = [];
  for (const value of values) {
    const { key } = handlers.add('v', () => value);
    results.push(await runner.run(key, {}, callOf()));
  }
  expect(results.map(each => (each as { kind?: string } | null | undefined)?.kind ?? each)).toEqual([
    'text',
    7,
    null,
    undefined,
    'other',
    'content',
    'other',
  ]);
});

test('a call whose deadline has passed on arrival does not run', async () => {
  const { handlers, runner } = bridge();
  let ran = false;
  const { key } = handlers.add('late', () => {
    ran = true;
  });
  const waiting = runner.run(key, {}, callOf({ deadline: Date.now() + 30 }));
  burn(80);
  await expect(waiting).rejects.toMatchObject({ code: 'SVC_HOST_TIMEOUT' });
  await new Promise(resolve => setTimeout(resolve, 30));
  expect(ran).toBe(false);
  expect(() => runner.run(key, {}, callOf({ deadline: Date.now() - 1 }))).toThrow(/will not run/);
});

test('a timeout says whether the handler had begun; its signal is aborted', async () => {
  const { handlers, runner } = bridge();
  let aborted = false;
  const { key } = handlers.add('long', async (_, call) => {
    call.signal.addEventListener('abort', () => {
      aborted = true;
    });
    await new Promise(() => undefined);
  });
  await expect(runner.run(key, {}, callOf({ deadline: Date.now() + 50 }))).rejects.toThrow(/has begun/);
  await new Promise(resolve => setTimeout(resolve, 20));
  expect(aborted).toBe(true);
});

test('arguments that cannot be sent give their place back; a removed handler is SVC_HOST_GONE', async () => {
  const { handlers, runner } = bridge(1);
  const { key, remove } = handlers.add('x', () => 'ran');
  for (let round = 0; round < 3; round += 1) {
    await expect(runner.run(key, { f: () => 1 }, callOf())).rejects.toThrow(/cannot be sent/);
  }
  expect(await runner.run(key, {}, callOf())).toBe('ran');
  await remove();
  await expect(runner.run(key, {}, callOf())).rejects.toMatchObject({ code: 'SVC_HOST_GONE' });
});
