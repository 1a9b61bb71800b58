/** A policy file in front of real tools and skills. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { EventEnvelope } from '../../../plugins/index.ts';
import { tempDir } from '../../helper.ts';
import { callTool, testServer } from '../../server.ts';
import { writeFiles } from '../skills/support.ts';

const tool = (name: string, annotations?: Record<string, boolean>) => ({
  ...{ name, description: 'Does it.', input_schema: { type: 'object' } },
  ...(annotations && { annotations }),
});

/** A server with a policy of this text, a few tools and a skill that is not loaded. */
async function guarded(text: string, dcc_type: string | null = 'maya') {
  const folder = await tempDir();
  const policy_file = join(folder, 'policy.yaml');
  await writeFile(policy_file, text);
  await writeFiles(join(folder, 'skills', 'wild'), {
    'SKILL.md': '---\nname: wild\ndescription: A skill.\n---\n',
    'tools.yaml': 'tools:\n  - { name: go, description: Goes., source_file: tools/go.ts }\n',
    'tools/go.ts': 'export default () => ({ went: true });\n',
  });
  const server = testServer('ambient', { policy_file, skill_paths: [join(folder, 'skills')], dcc_type });
  const events: EventEnvelope[] = [];
  await server.bus.subscribe('*', event => events.push(event as EventEnvelope));
  for (const each of [
    tool('look', { readOnlyHint: true }),
    tool('make', { destructiveHint: false }),
    tool('drop', { destructiveHint: true }),
    tool('silent'),
  ]) {
    await server.registerTool(each, () => 'done');
  }
  const service = await server.start();
  const outcome = async (name: string, meta: object = {}, args: object = {}): Promise<string> => {
    const body = JSON.stringify({ name, args, meta: { request_id: 'r', ...meta } });
    const answer = await callTool(service, name, {}, { body });
    return answer.status === 200 ? 'done' : JSON.stringify(answer.body);
  };
  return { server, service, events, outcome };
}

test('the first rule that matches decides: by name, by hints, by who calls', async () => {
  const { outcome, events } = await guarded(`
rules:
  - { effect: allow, tools: [maya.drop], callers: ['pipeline-*'] }
  - { effect: deny, annotations: { destructive: true }, reason: Nothing is deleted here. }
  - { effect: deny, tools: ['*.make'] }
`);
  expect(await outcome('look')).toBe('done');
  expect(await outcome('drop')).toContain('Nothing is deleted here.');
  expect(await outcome('drop', { agent_context: { agent_id: 'pipeline-7' } })).toBe('done');
  // MCP: a tool that says nothing may destroy.
  expect(await outcome('silent')).toContain('Nothing is deleted here.');
  expect(await outcome('make')).toContain('the policy of this server does not allow it');
  expect(events.find(each => each.name === 'tool.failed')?.attributes).toMatchObject({
    ...{ tool_name: 'drop', error_kind: 'event_vetoed' },
    ...{ veto_code: 'policy_denied', veto_reason: 'Nothing is deleted here.' },
  });
});

test.each([
  ['maya', 'rules: [{ effect: deny, tools: [maya.host.drop] }]'],
  [null, 'rules: [{ effect: deny, tools: [python.host.drop] }]'],
  [null, 'rules: [{ effect: deny, tools: [drop], dcc_types: [python] }]'],
])('a tool of the host is meant by the slug and the host type that a search finds it by (%s)', async (type, rules) => {
  const { service, outcome } = await guarded(rules, type);
  const found = await fetch(new URL('/v1/search', service.mcpUrl()), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query: 'drop' }),
  });
  expect(JSON.stringify(await found.json())).toContain(`"slug":"${type ?? 'python'}.host.drop"`);
  expect(await outcome('drop')).toContain('the policy of this server does not allow it');
  expect(await outcome('make')).toBe('done');
});

test('default deny lets only through what a rule names', async () => {
  const { outcome } = await guarded('default: deny\nrules: [{ effect: allow, tools: [look] }]');
  expect(await outcome('look')).toBe('done');
  expect(await outcome('make')).toContain('does not allow it');
});

test('a rule about skills is about loading them; one about tools is not', async () => {
  const denied = await guarded('rules: [{ effect: deny, skills: ["wi*"], reason: not this one }]');
  await expect(denied.server.loadSkill('wild')).rejects.toThrow('not this one');
  expect(denied.events.find(each => each.name === 'skill.validation_failed')?.attributes).toMatchObject({
    ...{ skill_name: 'wild', veto_code: 'policy_denied', veto_reason: 'not this one' },
  });
  const other = await guarded('rules: [{ effect: deny, tools: ["*"] }]');
  await expect(other.server.loadSkill('wild')).resolves.toBeDefined();
});

test.each([
  ['denied', '{ effect: deny, skills: [wild], callers: [robot] }', 'allow'],
  ['allowed', '{ effect: allow, callers: [pipeline] }', 'deny'],
])('a load is %s by who asks for it, and its events say who that is', async (_, rule, otherwise) => {
  const { service, outcome, events } = await guarded(`default: ${otherwise}\nrules: [${rule}]`);
  const load = (agent_id: string) => outcome('load_skill', { agent_context: { agent_id } }, { skill_name: 'wild' });
  // Answered when the skills were found.
  await fetch(new URL('/v1/skills', service.mcpUrl()));
  await load('robot');
  await load('pipeline');
  const told = () => events.filter(each => each.name.startsWith('skill.')).map(each => [each.name, each.correlation]);
  const robot = expect.objectContaining({ agent_id: 'robot' });
  const pipeline = expect.objectContaining({ agent_id: 'pipeline' });
  await vi.waitFor(() =>
    expect(told()).toEqual([
      // Where nothing else is allowed, already the call of load_skill is not.
      ...(otherwise === 'allow'
        ? [
            ['skill.loading', robot],
            ['skill.validation_failed', robot],
          ]
        : []),
      ...[
        ['skill.loading', pipeline],
        ['skill.loaded', pipeline],
      ],
    ]),
  );
});

test.each([
  ['a rule without a condition', 'rules:\n  - effect: deny\n', /line 2: /],
  ['a reason alone', 'rules:\n  - { effect: deny, reason: no }\n', /line 2: "rules.0" has no condition/],
  [
    'a bad glob',
    'rules:\n  - effect: deny\n    tools:\n      - a\n      - maya.[rl*\n',
    /line 5: "rules.0.tools.1" .*only \* is a wildcard/,
  ],
  [
    'alternatives as other globs have them',
    'rules:\n  - effect: deny\n    skills: ["{rig,render}"]\n',
    /line 3: "rules.0.skills.0" .*only \* is a wildcard/,
  ],
  ['a caller of blanks', 'rules:\n  - effect: deny\n    callers: [" "]\n', /line 3: "rules.0.callers.0" /],
  ['an effect that is none', 'rules:\n  - tools: [a]\n    effect: maybe\n', /line 3: "rules.0.effect" must be one of/],
  ['a misspelt condition', 'rules:\n  - effect: deny\n    tool: [a]\n', /line 3: "rules.0.tool" is not a known field/],
  [
    'a hint that is none',
    'rules:\n  - effect: deny\n    annotations:\n      destructve: true\n',
    /line 4: "rules.0.annotations.destructve" is no hint of a tool: use one of read_only, destructive/,
  ],
  ['a tab', 'rules:\n\t- x\n', /line 2: /],
])('%s is refused at start with its line', async (_, text, message) => {
  await expect(guarded(text)).rejects.toMatchObject({
    code: 'SVC_POLICY_FILE_INVALID',
    message: expect.stringMatching(message),
  });
});

test('a policy file that is not there is refused by name', async () => {
  const policy_file = join(await tempDir(), 'gone.yaml');
  const start = testServer('ambient', { policy_file }).start();
  await expect(start).rejects.toThrow(`The policy ${policy_file} cannot be used`);
});
