/** What is taken out of bodies before any sink: code, credentials, images, people; and what stays. */
import { expect, test } from 'vitest';
import {
  attribution,
  redactBody,
  type Side,
  sensitiveInput,
  staysWhole,
} from '../../../plugins/traffic/body-redaction.ts';
import { corpus, tokens } from '../../kernel/redaction-corpus.ts';

const clean = (data: unknown, side: Side = 'request', rules: { path: string[]; text: string }[] = []) => {
  return redactBody(structuredClone(data), side, rules);
};

test('code that is to run goes out of requests, wherever it stands; answers keep their codes and contents', () => {
  const args = {
    code: 'import os',
    nested: [{ Script: 'a', python: 'b', mel: 'c' }],
    content: 'd',
    name: 'ball',
    n: 1,
  };
  const { data, paths } = clean({ params: { arguments: args } });
  expect(data).toEqual({
    params: {
      arguments: {
        ...{ code: sensitiveInput, content: sensitiveInput, name: 'ball', n: 1 },
        nested: [{ Script: sensitiveInput, python: sensitiveInput, mel: sensitiveInput }],
      },
    },
  });
  expect(paths.sort()).toEqual([
    ...['params.arguments.code', 'params.arguments.content'],
    ...['params.arguments.nested.0.Script', 'params.arguments.nested.0.mel', 'params.arguments.nested.0.python'],
  ]);
  const answer = {
    result: { content: [{ type: 'text', text: 'fine' }], code: 'SVC_X' },
    script: 'x = 1',
    error: { code: 'a b\nc' },
  };
  expect(clean(answer, 'response').data).toEqual({
    ...{
      result: { content: [{ type: 'text', text: 'fine' }], code: 'SVC_X' },
      script: sensitiveInput,
      error: { code: sensitiveInput },
    },
  });
});

test('credentials by name and by look, in texts that are JSON themselves, and in escaped names', () => {
  const inner = JSON.stringify({ ok: true, password: 'hunter2', deep: JSON.stringify({ api_key: 'abc123' }) });
  const { data, paths } = clean(
    { content: [{ type: 'text', text: inner }], headers: { Authorization: ['Bearer x1y2z3'] } },
    'response',
  );
  expect(JSON.stringify(data)).not.toMatch(/hunter2|abc123|x1y2z3/);
  expect(paths).toEqual(['content.0.text', 'headers.Authorization']);
  const raw = '{"p\\u0061ssword":"hunter2"}';
  expect(JSON.stringify(redactBody(JSON.parse(raw), 'request', []).data)).not.toContain('hunter2');
  for (const token of tokens.slice(0, -2)) {
    for (const side of ['request', 'response'] as const) {
      expect(JSON.stringify(clean({ note: `use ${token} now` }, side).data), token).not.toContain(token.slice(-12));
    }
  }
});

test('a credential that is the name of a member goes out of it, and out of the paths', () => {
  for (const token of tokens.slice(0, -2)) {
    const { data, paths } = clean({ arguments: { users: { [token]: 'ann' }, [token]: { password: 'hunter2' } } });
    const told = JSON.stringify([data, paths]);
    expect(told, token).not.toContain(token.slice(-12));
    expect(told).not.toContain('hunter2');
    expect(paths).toContain('arguments.users.[redacted]');
  }
  const [token = ''] = tokens;
  expect(clean({ users: { [token]: 'ann' } })).toEqual({
    data: { users: { '[redacted]': 'ann' } },
    paths: ['users.[redacted]'],
  });
  const text = JSON.stringify({ users: { [token]: 'ann' } });
  expect(JSON.stringify(clean({ content: [{ text }] }, 'response'))).not.toContain(token.slice(-12));
  // An operator's star names it as well.
  const rules = [{ path: ['users', '*'], text: '<user>' }];
  const starred = JSON.stringify(clean({ users: { [token]: 'ann' } }, 'request', rules));
  expect(starred).not.toContain(token.slice(-12));
  expect(starred).not.toContain('ann');
});

test('images, data addresses and people', () => {
  const { data } = clean(
    {
      result: { content: [{ type: 'image', data: 'QUJD', mimeType: 'image/png' }], icon: 'data:image/png;base64,QUJD' },
      meta: { actor_email: 'a@b', sourceIp: '10.0.0.1' },
    },
    'response',
  );
  expect(JSON.stringify(data)).not.toMatch(/QUJD|a@b|10\.0\.0\.1/);
  expect(data).toMatchObject({ meta: { actor_email: attribution, sourceIp: attribution } });
});

test("an operator's replacements come first, at their very path or with a star for one name, and stay", () => {
  const rules = [
    { path: ['a', '*', 'x'], text: '<x>' },
    { path: ['token'], text: '<mine>' },
    { path: ['missing', 'y'], text: '<no>' },
  ];
  const { data, paths } = clean({ a: [{ x: 1 }, { x: { deep: 2 }, y: 3 }], token: 's3cr3t', x: 4 }, 'request', rules);
  expect(data).toEqual({ a: [{ x: '<x>' }, { x: '<x>', y: 3 }], token: '<mine>', x: 4 });
  expect(paths).toEqual(['a.0.x', 'a.1.x', 'token']);
});

test('what holds none of it stays, and a body without end does not hold the thread', () => {
  const plain = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'make', arguments: { size: 2, on: true, tags: ['a'] }, _meta: { progressToken: 5 } },
  };
  expect(clean(plain)).toEqual({ data: plain, paths: [] });
  let deep = '1';
  for (let level = 0; level < 3000; level += 1) deep = `[${deep}]`;
  const raw = `{"code":"x","deep":${deep}}`;
  expect(redactBody(JSON.parse(raw), 'request', []).data).toMatchObject({ code: sensitiveInput });
});

test('what is taken for whole by one look is whole: nothing in it would have been taken out', () => {
  const names = [
    ...[
      'script',
      'python',
      'mel',
      'content',
      'source_code',
      'sourceCode',
      'Source-Code',
      'expression',
      'commandLine',
      'code',
    ],
    ...['actor_id', 'actorName', 'actor-email', 'actor_emailHash', 'auth_subject', 'clientHost', 'client_host'],
    ...[
      'forwarded_for',
      'X-Forwarded-For',
      'xForwardedFor',
      'sourceIp',
      'source_ip',
      'input_hash',
      'replyHash',
      'X-Auth',
    ],
  ];
  const texts = [
    ...[
      ...corpus.map(each => each.text),
      ...tokens,
      'x\n-u a:b\n',
      'a\nauth: b',
      'c:\\/\\/d:e@f',
      'script = x',
      'code: 1',
    ],
    ...['data:image/png;base64,QUJD', 'plain text', '', 'x'.repeat(300)],
  ];
  const bodies: unknown[] = [
    ...names.map(name => ({ a: [{ [name]: 'some words here' }] })),
    ...texts.flatMap(text => [{ note: text }, [text], { text: JSON.stringify({ deep: JSON.stringify([text]) }) }]),
    ...['image', 'audio'].map(type => ({ type, data: 'QUJD' })),
    ...['mimeType', 'mime_type'].map(name => ({ [name]: 'model/gltf', blob: 'QUJD' })),
    JSON.parse(`${'['.repeat(70)}1${']'.repeat(70)}`),
  ];
  let whole = 0;
  for (const side of ['request', 'response'] as const) {
    for (const body of bodies) {
      const json = JSON.stringify(body);
      if (!staysWhole(json, side)) continue;
      whole += 1;
      expect(clean(body, side), json).toEqual({ data: body, paths: [] });
    }
  }
  // Not all are looked through.
  expect(whole).toBeGreaterThan(10);
  for (const hidden of ['{"p\\u0061ss":"x"}', '{"a":1,\n"b":2}', '{"a":1,\r"b":2}']) {
    expect(staysWhole(hidden, 'response')).toBe(false);
  }
  expect(staysWhole('{"result":{"content":[{"type":"text","text":"{\\"a\\":1}"}]}}', 'response')).toBe(true);
});
