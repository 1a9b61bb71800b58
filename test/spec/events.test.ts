/** One bus for all that happens; what else it promises is proved in test/kernel, the events of tools in their room. */
import { expect } from 'vitest';
import { skillFolder, startInside } from './fixture.ts';
import { verifies } from './verifies.ts';

verifies(['bus:shared'], 'calls and skills speak on one bus', async () => {
  const { app } = await startInside({ skill_paths: [await skillFolder({ rig: {} })] });
  const heard = new Set<string>();
  app.kernel.bus.on('*', ({ name }) => heard.add(name));
  await app.skills.load('rig');
  await app.tools.call({ name: 'rig_echo', args: {} });
  expect([...heard]).toEqual(expect.arrayContaining(['skill.loaded', 'tool.completed']));
});

verifies(
  ['veto:allow', 'veto:reason-string', 'veto:reason-object', 'veto:helper', 'veto:exception', 'veto:unsupported'],
  'what a hook of the host returns decides',
  async () => {
    const { server, connect } = await startInside({}, each => {
      each.registerTool({ name: 'probe' }, () => ({ ran: true }));
    });
    const { bus } = server;
    const client = await connect();
    const outcome = async (answer: () => unknown) => {
      const id = await bus.before('tool.dispatched', answer);
      const { error } = await client.request('tools/call', { name: 'probe', arguments: {} });
      expect(await bus.unsubscribeBefore('tool.dispatched', id)).toBe(true);
      return error?.data?.veto_reason ?? (error ? 'other error' : 'allowed');
    };
    expect(await outcome(() => undefined)).toBe('allowed');
    expect(await outcome(() => false)).toBe('allowed');
    expect(await outcome(async () => undefined)).toBe('allowed');
    expect(await outcome(() => 'because')).toBe('because');
    expect(await outcome(() => ({ reason: 'frozen scene', code: 'frozen' }))).toBe('frozen scene');
    expect(await outcome(() => bus.veto('helped', 'h'))).toBe('helped');
    expect(await outcome(() => 42)).toMatch(/unsupported/);
    const thrown = await outcome(() => {
      throw new Error('hook broke');
    });
    expect(thrown).toMatch(/hook broke/);
  },
);
