/** One bus for all that happens; what it promises is proved in test/kernel, the events of tools in their room. */
import { expect } from 'vitest';
import { skillFolder, startInside } from './fixture.ts';
import { verifies } from './verifies.ts';

verifies(['bus:shared'], 'calls and skills speak on one bus', async () => {
  const { app } = await startInside({ skill_paths: [await skillFolder({ rig: {} })] });
  const heard = new Set<string>();
  app.kernel.bus.subscribe('*', ({ name }) => heard.add(name));
  await app.skills.load('rig');
  await app.tools.call({ name: 'rig_echo', args: {} });
  expect([...heard]).toEqual(expect.arrayContaining(['skill.loaded', 'tool.completed']));
});
