/** Prompts of several messages and every kind of content, and prompt handlers that ask the client. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Answers, askedClient, everyKind, inSession, type Kind } from '../../asked-client.ts';
import { tempDir } from '../../helper.ts';
import { type Mode, modes, testServer } from '../../server.ts';
import { skillMd, writeSkill } from '../skills/support.ts';

const pixel = Buffer.from('89504e470d0a1a0a', 'hex');

const promptsYaml = `prompts:
  - name: everything
    description: Every kind.
    arguments: [{ name: subject, required: true }, { name: uri, default: "test://x" }]
    messages:
      - { text: "Look at {{subject}}, not at {{nobody}}" }
      - { role: assistant, text: "At {{subject}}?" }
      - { image: assets/dot.png }
      - { image: { data: AAAA, mimeType: image/gif } }
      - { audio: { file: assets/beep.bin, mimeType: audio/wav } }
      - { resource: assets/guide.md }
      - { resource: { uri: "{{uri}}", text: "About {{subject}}" } }
      - { link: { uri: "{{uri}}", name: here } }
  - name: whole
    description: Still there.
    template: Whole.
  - { name: missing, description: No file., messages: [{ image: assets/none.png }] }
  - { name: outside, description: Leads out., messages: [{ image: ../../secret.png }] }
  - { name: typeless, description: No type., messages: [{ image: assets/beep.bin }] }
  - { name: double, description: Both., template: x, messages: [{ text: x }] }
  - { name: two, description: Two kinds., messages: [{ text: x, image: assets/dot.png }] }
  - { name: neither, description: Says nothing. }
`;

async function server(mode: Mode = 'ambient', options = {}) {
  const home = await tempDir();
  await writeSkill(join(home, 'skills'), 'shows', {
    'SKILL.md': skillMd('shows'),
    'prompts.yaml': promptsYaml,
    'assets/dot.png': pixel as unknown as string,
    'assets/beep.bin': Buffer.from([255, 254, 0]) as unknown as string,
    'assets/guide.md': '# Guide',
  });
  const made = testServer(mode, { skill_paths: [join(home, 'skills')], cache_dir: join(home, 'cache'), ...options });
  const url = (await made.start()).mcpUrl();
  await made.loadSkill('shows');
  return { server: made, url };
}

test.each(inSession)('%s gets messages, roles, images, sounds and resources of a prompt file', async kind => {
  const client = await askedClient(kind, (await server()).url);
  const { messages } = await client.prompt('everything', { subject: 'the {{uri}}' });
  expect(messages).toEqual([
    { role: 'user', content: { type: 'text', text: 'Look at the {{uri}}, not at {{nobody}}' } },
    { role: 'assistant', content: { type: 'text', text: 'At the {{uri}}?' } },
    { role: 'user', content: { type: 'image', data: pixel.toString('base64'), mimeType: 'image/png' } },
    { role: 'user', content: { type: 'image', data: 'AAAA', mimeType: 'image/gif' } },
    { role: 'user', content: { type: 'audio', data: '//4A', mimeType: 'audio/wav' } },
    {
      role: 'user',
      content: {
        type: 'resource',
        resource: { uri: 'skill://shows/assets/guide.md', mimeType: 'text/markdown', text: '# Guide' },
      },
    },
    {
      role: 'user',
      content: {
        type: 'resource',
        resource: { uri: 'test://x', mimeType: 'text/plain', text: 'About the {{uri}}' },
      },
    },
    { role: 'user', content: { type: 'resource_link', uri: 'test://x', name: 'here' } },
  ]);
  expect(JSON.stringify((await client.prompt('whole')).messages)).toContain('Whole.');
});

test('a prompt that cannot be made is left out, and the package check says why', async () => {
  const { url } = await server();
  const client = await askedClient('SDK 2.x', url);
  for (const name of ['missing', 'outside', 'typeless', 'double', 'two', 'neither']) {
    await expect(client.prompt(name)).rejects.toThrow(/No prompt is named/);
  }
});

describe.each(modes)('%s', mode => {
  async function asking(kind: Kind, answers: Answers = {}, options = {}) {
    const { server: made, url } = await server(mode, options);
    await made.registerPrompt({ name: 'asks', description: 'Asks.' }, async (_args, call) => {
      const form = { properties: { context: { type: 'string' } }, required: ['context'] };
      const { content } = await call.elicit({ key: 'user_context', message: 'Which context?', schema: form });
      return { messages: [{ role: 'assistant', content: { type: 'text', text: `In ${content?.context}` } }] };
    });
    await made.registerPrompt({ name: 'hangs', description: 'Never ends.' }, () => new Promise(() => undefined));
    return askedClient(kind, url, answers);
  }

  test.each(everyKind)('%s: a prompt handler asks the client that wants the prompt', async kind => {
    const elicit = () => ({ action: 'accept', content: { context: 'the studio' } });
    const client = await asking(kind, { elicit });
    expect((await client.prompt('asks')).messages).toEqual([
      { role: 'assistant', content: { type: 'text', text: 'In the studio' } },
    ]);
    expect(client.asked).toHaveLength(1);
  });

  test('what the client did not declare is told as such; time stands still while it is asked', async () => {
    const unable = await asking('SDK 1.x');
    await expect(unable.prompt('asks')).rejects.toThrow(/has not declared the capability elicitation/);
    const elicit = () =>
      new Promise(resolve => setTimeout(() => resolve({ action: 'accept', content: { context: 'x' } }), 700));
    const slow = await asking('SDK 2.x', { elicit }, { request_timeout_ms: 300 });
    expect((await slow.prompt('asks')).messages).toHaveLength(1);
    await expect(slow.prompt('hangs')).rejects.toThrow(/did not answer within 300 ms/);
  });
});
