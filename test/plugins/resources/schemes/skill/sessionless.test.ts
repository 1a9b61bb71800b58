/** The extension in the revision that knows it: declared by server/discover, every result complete and told how long it keeps. */
import { expect, test } from 'vitest';
import { skillFolder, startServer } from '../../../../spec/fixture.ts';
import { type Json, messagesOf, post } from '../../../../spec/wire.ts';
import { headersOf, modern } from '../../../mcp/sessionless-wire.ts';

async function sessionless(options: Json = {}) {
  const skill_paths = [await skillFolder({ one: { files: { 'docs/a.md': 'a' } } })];
  const { service } = await startServer({ skill_paths, ...options });
  return async (method: string, params: Json = {}) => {
    const message = modern(1, method, params);
    return messagesOf(await post(service.mcpUrl(), message, headersOf(message)))[0];
  };
}

test('the extension is declared with its setting, and its results carry what the revision demands', async () => {
  const send = await sessionless();
  const declared = { extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } }, resources: {} };
  expect((await send('server/discover'))?.result?.capabilities).toMatchObject(declared);
  const kept = { resultType: 'complete', ttlMs: 0, cacheScope: 'public' };
  const uri = 'skill://one/SKILL.md';
  expect((await send('skills/list'))?.result).toMatchObject({ ...kept, skills: [{ uri }] });
  expect((await send('skills/get', { uri }))?.result).toMatchObject({ ...kept, skill: { uri } });
  expect((await send('resources/directory/read', { uri: 'skill://one/docs' }))?.result).toMatchObject({
    resultType: 'complete',
    resources: [{ uri: 'skill://one/docs/a.md' }],
  });
  expect((await send('skills/get', { uri: 'skill://two/SKILL.md' }))?.error?.code).toBe(-32602);
  expect((await send('resources/read', { uri: 'skill://one/none.md' }))?.error?.code).toBe(-32602);
});

test('switched off it is not declared', async () => {
  const send = await sessionless({ agent_skills: false });
  expect((await send('server/discover'))?.result?.capabilities).not.toMatchObject({
    extensions: { 'io.modelcontextprotocol/skills': expect.anything() },
  });
  expect((await send('skills/list'))?.error?.code).toBe(-32601);
});
