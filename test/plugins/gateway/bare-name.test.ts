/** A tool's bare name at the gateway: it calls nothing, and says what would. */
import { expect, test } from 'vitest';
import { answering } from '../skills/support.ts';
import { gatewayOver, toolsOfHost } from './support.ts';

const packages = { rig: answering('rig', 'yes', { svc: '    dcc: maya' }) };

test('a bare name says which skill to load, and then by which slug the tool is called', async () => {
  const { post, follow, client, hosts } = await gatewayOver([{ dcc_type: 'maya', setup: toolsOfHost, packages }]);
  const slug = `maya.${hosts[0]?.short}.rig_answer`;
  for (const name of ['rig_answer', 'rig__rig_answer', 'Rig-Answer']) {
    const unloaded = await post('call', { tool_slug: name, arguments: {} });
    expect(unloaded.status).toBe(409);
    expect(unloaded.json).toMatchObject({
      error: {
        kind: 'skill-not-loaded',
        message: `"${slug}" belongs to the skill "rig", which is not loaded: send next_step, then call again`,
        candidates: [slug],
        next_step: { action: 'load_skill', arguments: { skill_name: 'rig', target_tool_slug: slug } },
      },
    });
  }
  const wire = await client();
  const called = await wire.call('call', { tool_slug: 'rig_answer' });
  expect(called.isError).toBe(true);
  expect(JSON.stringify(called)).toContain('which is not loaded: send next_step');
  const asked = await wire.request('tools/call', { name: 'rig_answer', arguments: {} });
  expect(asked.error?.message).toMatch(/^The gateway has no tool "rig_answer": .* belongs to the skill "rig"/);

  const { json } = await post('call', { tool_slug: 'rig_answer' });
  await follow((json.error as { next_step: unknown }).next_step);
  const loaded = await post('call', { tool_slug: 'rig_answer', arguments: {} });
  expect(loaded.status).toBe(400);
  expect(loaded.json).toMatchObject({
    error: {
      kind: 'bad-request',
      message: `"rig_answer" is the name of a tool, which is called by its slug: ${slug}`,
      candidates: [slug],
    },
  });
  expect((await post('call', { tool_slug: slug, arguments: {} })).status).toBe(200);
});

test('a name that no tool has, or none that may be called, is told of as before', async () => {
  const { post } = await gatewayOver([{ dcc_type: 'maya', packages }], { gateway_allowed_skills: ['other'] });
  for (const name of ['rig_answer', 'nothing_like_it']) {
    const { status, json } = await post('call', { tool_slug: name, arguments: {} });
    expect(status).toBe(400);
    expect(json.error).toMatchObject({ message: expect.stringMatching(/is no tool slug/) });
  }
});
