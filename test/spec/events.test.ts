/** Event bus, envelope, tool events, vetoes. */
import { describe, expect, onTestFinished } from 'vitest';
import type { EventEnvelope } from '../../kernel/index.ts';
import type { ToolHandler } from '../../plugins/tools/api.ts';
import type { ToolDefinition } from '../../schemas/tool.ts';
import { testApp } from '../helper.ts';
import { quiet, skillFolder, startInside, startServer } from './fixture.ts';
import { verifies } from './verifies.ts';

const kernelOf = async () => (await testApp([], quiet)).kernel;
/** The bus as the specification has it, with numbers: the server object's. */
const serverBus = async () => (await startServer()).server.bus;

describe('the bus', () => {
  verifies(
    ['bus:exact', 'bus:prefix', 'bus:catch-all', 'bus:subscribe', 'bus:emit'],
    'exact, prefix and catch-all subscriptions receive the envelope',
    async () => {
      const bus = await serverBus();
      const heard: string[] = [];
      const ids: number[] = [];
      for (const name of ['tool.completed', 'tool.*', '*']) {
        ids.push(await bus.subscribe(name, event => heard.push(`${name}:${event.name}`)));
      }
      expect(ids).toEqual([1, 2, 3]);
      heard.length = 0;
      await bus.emit('tool.completed');
      await bus.emit('tool.failed');
      await bus.emit('skill.loaded');
      expect(heard.sort()).toEqual([
        '*:skill.loaded',
        '*:tool.completed',
        '*:tool.failed',
        'tool.*:tool.completed',
        'tool.*:tool.failed',
        'tool.completed:tool.completed',
      ]);
    },
  );

  verifies(
    ['envelope:fields', 'envelope:id', 'envelope:timestamp', 'version:event-schema'],
    'the envelope has its fields',
    async () => {
      const { bus } = await kernelOf();
      const input = { source: { dcc_type: 'maya' }, correlation: { request_id: 'r' }, attributes: { a: 1 } };
      const before = Date.now() - 1000;
      const first = bus.emit('x.y', input);
      expect(first).toEqual({
        schema_version: 1,
        name: 'x.y',
        id: expect.stringMatching(/^ev_\S+$/),
        timestamp_ns: expect.any(Number),
        ...input,
      });
      expect(first.timestamp_ns / 1e6).toBeGreaterThan(before);
      expect(first.timestamp_ns / 1e6).toBeLessThan(Date.now() + 1000);
      const ids = new Set(Array.from({ length: 1000 }, () => bus.emit('x.y').id));
      expect(ids.size).toBe(1000);
    },
  );

  verifies(
    ['bus:unsubscribe', 'bus:publish'],
    'unsubscribe needs name and id; publish gives the attributes',
    async () => {
      const bus = await serverBus();
      const heard: unknown[] = [];
      const id = await bus.subscribe('a.b', given => heard.push(given));
      await bus.publish('a.b', { plain: true });
      expect(heard).toEqual([{ plain: true }]);
      expect(await bus.unsubscribe('other', id)).toBe(false);
      expect(await bus.unsubscribe('a.b', id)).toBe(true);
      expect(await bus.unsubscribe('a.b', id)).toBe(false);
      await bus.publish('a.b');
      expect(heard).toHaveLength(1);
    },
  );

  verifies(['bus:isolation', 'bus:reentrant'], 'a failing or a changing callback disturbs nobody', async () => {
    const { bus } = await kernelOf();
    const heard: string[] = [];
    bus.on('a', () => {
      throw new Error('broken');
    });
    bus.on('a', () => Promise.reject(new Error('broken later')));
    const leave = bus.on('a', () => {
      void leave();
      bus.on('a', () => heard.push('new'));
      heard.push('once');
    });
    bus.on('a', () => heard.push('last'));
    bus.emit('a');
    expect(heard).toEqual(['once', 'last']);
    bus.emit('a');
    expect(heard.slice(2).sort()).toEqual(['last', 'new']);
  });
});

/** A served tool with what the bus said of its calls. */
async function served(handler: ToolHandler | undefined, definition: Partial<ToolDefinition> = {}) {
  const { app, connect, server } = await startInside();
  const events: EventEnvelope[] = [];
  app.kernel.bus.on('tool.*', event => events.push(event));
  const undo = app.tools.publish('host', [{ definition: { name: 'probe', ...definition }, handler }], {
    source: 'host',
  });
  onTestFinished(() => undo());
  const client = await connect();
  const call = (args = {}, name = 'probe') => client.request('tools/call', { name, arguments: args });
  const named = (name: string) => events.filter(event => event.name === name).map(({ attributes }) => attributes);
  return { app, call, events, named, bus: server.bus };
}

describe('tool events', () => {
  verifies(
    ['event:tool.dispatched', 'event:tool.completed', 'event:tool-attributes', 'event:tool-terminal'],
    'a good call is dispatched, then completed',
    async () => {
      const { call, events, named } = await served(() => ({ ok: 1 }), {
        dcc: 'maya',
        annotations: { read_only_hint: true },
      });
      await call();
      expect(events.map(({ name }) => name)).toEqual(['tool.dispatched', 'tool.completed']);
      const base = { tool_name: 'probe', tool_slug: expect.stringMatching(/probe/), dcc_type: 'maya' };
      expect(named('tool.dispatched')[0]).toMatchObject(base);
      expect(named('tool.completed')[0]).toMatchObject({
        ...base,
        duration_ms: expect.any(Number),
        result_success: true,
        annotations: expect.anything(),
      });
    },
  );

  verifies(['event:result-success', 'error:tool-reported'], 'result_success follows the success member', async () => {
    const { call, named } = await served(({ success }) => ({ success, message: 'm' }));
    const good = await call({ success: true });
    const bad = await call({ success: false });
    expect(good.result?.isError ?? false).toBe(false);
    expect(bad.error).toBeUndefined();
    expect(bad.result?.isError).toBe(true);
    const successes = [...named('tool.completed'), ...named('tool.failed')].map(each => each.result_success);
    expect(successes).toEqual([true, false]);
  });

  verifies(['event:tool.failed', 'event:failure-kinds'], 'each failure has its kind', async () => {
    const { app, call, named } = await served(
      () => {
        throw new Error('no luck');
      },
      { input_schema: { type: 'object', properties: { n: { type: 'number' } } } },
    );
    await call({}, 'nobody');
    await call({ n: 'x' });
    await call({ n: 1 });
    app.kernel.hooks.before('tool.dispatched', () => 'no');
    await call({ n: 1 });
    const kinds = named('tool.failed').map(({ error_kind }) => error_kind);
    expect(kinds).toEqual([
      expect.stringMatching(/^(handler_not_found|metadata_not_found)$/),
      'validation_failed',
      'handler_error',
      'event_vetoed',
    ]);
    for (const attributes of named('tool.failed')) {
      expect(attributes).toMatchObject({ result_success: false, error_message: expect.any(String) });
    }
    expect(named('tool.dispatched')).toHaveLength(1);
  });

  verifies(['bus:shared'], 'calls and skills speak on one bus', async () => {
    const { app } = await startInside({ skill_paths: [await skillFolder({ rig: {} })] });
    const heard = new Set<string>();
    app.kernel.bus.on('*', ({ name }) => heard.add(name));
    await app.skills.load('rig');
    await app.tools.call({ name: 'rig_echo', args: {} });
    expect([...heard]).toEqual(expect.arrayContaining(['skill.loaded', 'tool.completed']));
  });
});

describe('vetoes', () => {
  verifies(['veto:names', 'bus:before'], 'only four names can be vetoed', async () => {
    const bus = await serverBus();
    for (const name of ['skill.loading', 'tool.dispatched', 'resource.subscribed', 'client.initialize']) {
      expect(await bus.before(name, () => undefined)).toBeGreaterThan(0);
    }
    for (const name of ['tool.completed', 'skill.loaded', '*', 'tool.*']) {
      await expect(bus.before(name, () => undefined)).rejects.toThrow(/vetoed/);
    }
  });

  verifies(
    ['veto:tool-call', 'error:vetoed', 'veto:tool-event', 'veto:reason-object'],
    'a vetoed call answers EVENT_VETOED and never runs',
    async () => {
      let ran = 0;
      const { app, call, named } = await served(() => {
        ran += 1;
        return {};
      });
      app.kernel.hooks.before('tool.dispatched', () => ({ reason: 'frozen scene', code: 'frozen' }));
      const answer = await call();
      expect(answer.error).toMatchObject({
        message: expect.stringMatching(/frozen scene/),
        data: { code: 'EVENT_VETOED', veto_code: 'frozen', veto_reason: 'frozen scene' },
      });
      expect(named('tool.failed')[0]).toMatchObject({
        error_kind: 'event_vetoed',
        veto_code: 'frozen',
        veto_reason: 'frozen scene',
      });
      expect(ran).toBe(0);
    },
  );

  verifies(
    ['veto:allow', 'veto:reason-string', 'veto:helper', 'veto:exception', 'veto:unsupported'],
    'what a hook returns decides',
    async () => {
      const { call, bus } = await served(() => ({ ran: true }));
      const outcome = async (answer: () => unknown) => {
        const id = await bus.before('tool.dispatched', answer);
        const { error } = await call();
        expect(await bus.unsubscribeBefore('tool.dispatched', id)).toBe(true);
        return error?.data?.veto_reason ?? (error ? 'other error' : 'allowed');
      };
      expect(await outcome(() => undefined)).toBe('allowed');
      expect(await outcome(() => false)).toBe('allowed');
      expect(await outcome(async () => undefined)).toBe('allowed');
      expect(await outcome(() => 'because')).toBe('because');
      expect(await outcome(() => bus.veto('helped', 'h'))).toBe('helped');
      expect(await outcome(() => 42)).toMatch(/unsupported/);
      const thrown = await outcome(() => {
        throw new Error('hook broke');
      });
      expect(thrown).toMatch(/hook broke/);
    },
  );
});
