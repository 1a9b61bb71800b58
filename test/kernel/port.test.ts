import { once } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { type Channel, createPort, defineErrors, type PortHandler } from '../../kernel/index.ts';
import { waitFor } from './support.ts';

const errors = defineErrors('SVC_PORTTEST', { NOPE: { rpc: -32000, http: 404, template: 'nope {x}' } });

const channelOf = (port: MessagePort): Channel => ({
  post: message => port.postMessage(message),
  onMessage: receive => void port.on('message', receive),
  onClose: closed => void port.on('close', () => closed('the port was closed')),
});

function pair(handlers: Record<string, PortHandler>) {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const near = createPort(channelOf(port1), {});
  const far = createPort(channelOf(port2), handlers);
  return { near, far, port1, port2 };
}

test('port: a call is answered with what the handler returns or resolves with', async () => {
  const { near } = pair({ double: value => (value as number) * 2, later: async value => [value] });
  expect(await near.call('double', 21)).toBe(42);
  expect(await near.call('later', { a: 1 })).toEqual([{ a: 1 }]);
  const many = await Promise.all(Array.from({ length: 200 }, (_, index) => near.call('double', index)));
  expect(many[199]).toBe(398);
  expect(near.pending).toBe(0);
});

test('port: errors keep code, message and details', async () => {
  const { near } = pair({
    known: () => {
      throw errors.NOPE({ x: 7 });
    },
    plain: () => Promise.reject(new Error('boom')),
  });
  await expect(near.call('known', 0)).rejects.toMatchObject({
    code: 'SVC_PORTTEST_NOPE',
    message: 'nope 7',
    details: { x: 7 },
  });
  await expect(near.call('plain', 0)).rejects.toMatchObject({ code: 'SVC_RPC_INTERNAL' });
});

test.each(['absent', 'constructor', '__proto__', 'toString'])('port: an unknown method (%s) is named', async method => {
  const { near } = pair({});
  await expect(near.call(method, 0)).rejects.toMatchObject({ code: 'SVC_RPC_METHOD_NOT_FOUND' });
});

test('port: a call past its deadline rejects and the other side is told to stop', async () => {
  let stopped = false;
  const { near } = pair({
    slow: (_, { signal }) =>
      new Promise(() =>
        signal.addEventListener('abort', () => {
          stopped = true;
        }),
      ),
  });
  await expect(near.call('slow', 0, { timeoutMs: 20 })).rejects.toMatchObject({
    code: 'SVC_RPC_TIMEOUT',
    message: 'slow did not answer within 20 ms',
  });
  expect(near.pending).toBe(0);
  await waitFor(() => stopped, 'the abort to arrive');
});

test('port: aborting the signal rejects and the other side is told to stop', async () => {
  let stopped = false;
  const { near } = pair({
    slow: (_, { signal }) =>
      new Promise(() =>
        signal.addEventListener('abort', () => {
          stopped = true;
        }),
      ),
  });
  const abort = new AbortController();
  const call = near.call('slow', 0, { signal: abort.signal });
  abort.abort('enough');
  await expect(call).rejects.toMatchObject({ code: 'SVC_RPC_CANCELLED' });
  await waitFor(() => stopped, 'the abort to arrive');
  await expect(near.call('slow', 0, { signal: abort.signal })).rejects.toMatchObject({ code: 'SVC_RPC_CANCELLED' });
});

test('port: a handler that asks for its signal after the cancel finds it aborted', async () => {
  let late: boolean | undefined;
  const { near } = pair({
    slow: async (_, context) => {
      await new Promise(resolve => setTimeout(resolve, 50));
      late = context.signal.aborted;
    },
  });
  await expect(near.call('slow', 0, { timeoutMs: 5 })).rejects.toThrow();
  await waitFor(() => late !== undefined, 'the handler to look');
  expect(late).toBe(true);
});

test('port: events reach the caller of their very call, before its result, and not after it', async () => {
  let leaked: (() => void) | undefined;
  const { near } = pair({
    work: (name, { notify }) => {
      notify('progress', name);
      leaked = () => notify('progress', 'late');
      return 'done';
    },
  });
  const seen: unknown[] = [];
  const onEvent = (name: string, data: unknown): void => void seen.push([name, data]);
  await Promise.all([near.call('work', 'a', { onEvent }), near.call('work', 'b')]);
  leaked?.();
  await near.call('work', 'c');
  expect(seen).toEqual([['progress', 'a']]);
});

test('port: values that cannot be cloned are errors on the side that sent them', async () => {
  const { near } = pair({ bad: () => () => undefined, badLater: async () => ({ f: () => undefined }) });
  await expect(near.call('bad', 0)).rejects.toThrow('the result cannot be sent');
  await expect(near.call('badLater', 0)).rejects.toThrow('the result cannot be sent');
  await expect(near.call('bad', () => undefined)).rejects.toThrow('the arguments cannot be sent');
  expect(near.pending).toBe(0);
});

test('port: a one-way message reaches its handler; a failing or unknown one hurts nobody', async () => {
  const got: unknown[] = [];
  const { near } = pair({
    note: value => void got.push(value),
    throws: () => {
      throw new Error('x');
    },
    rejects: () => Promise.reject(new Error('x')),
    ping: () => 'pong',
  });
  for (const method of ['throws', 'rejects', 'absent', 'constructor', 'note']) near.notify(method, method);
  expect(await near.call('ping', 0)).toBe('pong');
  expect(got).toEqual(['note']);
});

test('port: rubbish on the channel hurts nobody', async () => {
  const { near, port1, port2 } = pair({ ping: () => 'pong' });
  const rubbish = [
    5,
    'text',
    null,
    undefined,
    {},
    [],
    [0],
    [1],
    [2, 98],
    [2, 99, null],
    [3],
    [4, 97],
    [5],
    [99, 1],
    [-1],
  ];
  for (const each of rubbish) {
    port1.postMessage(each);
    port2.postMessage(each);
  }
  expect(await near.call('ping', 0)).toBe('pong');
});

test('port: an error answer that cannot be read rejects the call', async () => {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const near = createPort(channelOf(port1), {});
  port2.on('message', ([, id]: [number, number]) => port2.postMessage([2, id, null]));
  await expect(near.call('x', 0)).rejects.toMatchObject({ code: 'SVC_RPC_INTERNAL' });
});

test('port: when the other side goes, waiting calls reject and running handlers are aborted', async () => {
  let aborted = false;
  let lookLater: (() => boolean) | undefined;
  const { near, far, port2 } = pair({
    wait: (_, { signal }) =>
      new Promise(() =>
        signal.addEventListener('abort', () => {
          aborted = true;
        }),
      ),
    look: (_, context) => {
      lookLater = () => context.signal.aborted;
      return new Promise(() => undefined);
    },
  });
  const calls = [near.call('wait', 0), near.call('look', 0)];
  const settled = Promise.allSettled(calls);
  await waitFor(() => lookLater !== undefined, 'the calls to arrive');
  port2.close();
  for (const each of await settled) {
    expect(each).toMatchObject({ status: 'rejected', reason: { code: 'SVC_KERNEL_PORT_CLOSED' } });
  }
  await waitFor(() => aborted, 'the handler to be aborted');
  expect(lookLater?.()).toBe(true);
  await expect(near.call('wait', 0)).rejects.toMatchObject({ code: 'SVC_KERNEL_PORT_CLOSED' });
  expect(() => far.notify('x', 0)).not.toThrow();
});

test('port: close says why, once, and leaves nothing behind', async () => {
  const { near, port2 } = pair({ wait: () => new Promise(() => undefined) });
  const abort = new AbortController();
  const call = near.call('wait', 0, { timeoutMs: 60_000, signal: abort.signal });
  near.close('the skill was unloaded');
  near.close('again');
  await expect(call).rejects.toThrow('the skill was unloaded');
  expect(near.pending).toBe(0);
  abort.abort();
  port2.close();
  await once(port2, 'close');
});
