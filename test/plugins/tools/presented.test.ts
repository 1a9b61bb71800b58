/** What results show beside the value: the next tools, and pictures as image content. */
import { expect, test } from 'vitest';
import { presented } from '../../../plugins/tools/presented.ts';
import { answering, skillApp } from '../skills/support.ts';
import { rig, tool } from './support.ts';

const png = 'iVBORw0KGgo=';

test('a result carries the tools that its author would call next: after a success these, after a failure those', async () => {
  const tools = `tools:
  - name: alpha_answer
    next-tools: { on-success: [alpha__fails], on-failure: [help__me] }
  - name: fails
    source_file: tools/fails.ts
    next-tools: { on-failure: [help__me] }
`;
  const files = { 'tools/fails.ts': 'export default () => ({ success: false, message: "no" });\n' };
  const { app, call } = await skillApp({ alpha: answering('alpha', 'a', { tools, files }) });
  await app.skills.load('alpha');
  expect(await call('alpha_answer')).toMatchObject({
    structuredContent: { answer: 'a' },
    _meta: { 'dcc.next_tools': { on_success: ['alpha__fails'] } },
  });
  expect((await call('alpha_answer'))._meta).toEqual({ 'dcc.next_tools': { on_success: ['alpha__fails'] } });
  expect(await call('fails')).toMatchObject({
    isError: true,
    _meta: { 'dcc.next_tools': { on_failure: ['help__me'] } },
  });
});

test('a call that is refused or fails carries what to call next, over the protocol', async () => {
  const { app, call } = await rig();
  const metadata = { next_tools: { on_success: ['never__told'], on_failure: ['help__me'] } };
  const input_schema = { type: 'object', required: ['x'] };
  const fails = () => {
    throw new Error('broken');
  };
  app.tools.publish('h', [tool('t', { metadata, input_schema }, fails), tool('plain', {}, fails)], { source: 'host' });
  for (const args of [{}, { x: 1 }]) {
    const { result } = await call('t', args, { protocolVersion: '2025-11-25' });
    expect(result).toMatchObject({
      isError: true,
      _meta: { 'dcc.next_tools': { on_failure: ['help__me'] }, dcc: { error: {} } },
    });
  }
  const { result } = await call('plain', {}, { protocolVersion: '2025-11-25' });
  expect(result?._meta).not.toHaveProperty('dcc.next_tools');
});

test('tools/list tells of a tool that becomes a job; other entries have no _meta', async () => {
  const { app, ask } = await rig();
  const job = tool('job', { execution: 'async', timeout_hint_secs: 90 });
  app.tools.publish('h', [job, tool('plain', { timeout_hint_secs: 5 })], { source: 'host' });
  const tools = (await ask('tools/list')).result?.tools ?? [];
  const meta = (name: string) => tools.find(each => each.name === name)?._meta;
  expect(meta('job')).toEqual({ dcc: { execution: 'async', deferred_hint: true, timeoutHintSecs: 90 } });
  expect(meta('plain')).toBeUndefined();
});

const picture = (rich: unknown) =>
  JSON.stringify({ success: true, message: 'seen', context: { n: 1, __rich__: rich } });

test('pictures in the envelope become image content, and leave their text and structured form', async () => {
  const tools = 'tools: [shot, two, bad, other]';
  const script = (json: string) => `cat <<'X'\n${json}\nX\n`;
  const { app, call } = await skillApp({
    eyes: answering('eyes', '', {
      tools,
      files: {
        'scripts/shot.sh': script(picture({ kind: 'image', data: png, mime: 'image/webp' })),
        'tools/two.ts': `export default () => (${picture([
          { kind: 'image', data: `data:image/png;base64,${png}`, label: 'a' },
          { kind: 'table', rows: [] },
        ])});\n`,
        'scripts/bad.sh': script(picture({ kind: 'image', data: '%%%private%%%' })),
        'scripts/other.sh': script(picture('text')),
      },
    }),
  });
  await app.skills.load('eyes');
  const shot = await call('shot');
  expect(shot.content[1]).toEqual({ type: 'image', data: png, mimeType: 'image/webp' });
  expect(shot).toMatchObject({
    structuredContent: { message: 'seen', context: { n: 1, __rich__: { kind: 'image' } } },
  });
  expect(JSON.stringify([shot.content[0], shot.structuredContent])).not.toContain(png);
  const two = await call('two');
  expect(two.content.map(each => each.type)).toEqual(['text', 'image']);
  expect(two.structuredContent).toMatchObject({ context: { __rich__: [{ label: 'a' }, { kind: 'table' }] } });
  const bad = await call('bad');
  expect(bad.content).toHaveLength(1);
  expect(JSON.stringify(bad)).not.toContain('private');
  expect((await call('other')).content).toHaveLength(1);
});

test('an older revision gets the picture, and no structured content; a limit counts the value', async () => {
  const { app } = await skillApp({ alpha: answering('alpha', 'a') });
  await app.skills.load('alpha');
  const record = app.tools.get('alpha_answer');
  if (!record) throw new Error('not published');
  const value = JSON.parse(picture({ kind: 'image', data: png })) as unknown;
  expect(presented(value, { tool: record }, false)).toMatchObject({ content: [{ type: 'text' }, { type: 'image' }] });
  expect(presented(value, { tool: record }, false)).not.toHaveProperty('structuredContent');
  expect(presented({ context: {} }, { tool: record }, true)).toBeUndefined();
  expect(() => presented(value, { tool: record }, true, 20)).toThrow(/result is at least \d+ bytes long/);
});
