/** The files that a finding is routed by: what is read, and what is refused. */
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeFailure } from '../../cli/exit-codes.ts';
import { readCatalog, readFinding, routeFinding } from '../../cli/svc-cli/finding-file.ts';
import { tempDir } from '../helper.ts';
import { finding } from '../plugins/feedback/support.ts';

const text = JSON.stringify(finding);
const entry = (name: string, repo: string): string =>
  `  - { name: ${name}, issues_url: 'https://github.com/${repo}/issues' }\n`;

async function folder() {
  const place = await tempDir();
  return async (name: string, content: string | Buffer): Promise<string> => {
    await writeFile(join(place, name), content);
    return join(place, name);
  };
}

test('a finding of a file goes by the bundled catalogue, or by one of its own', async () => {
  const file = await folder();
  const { finding: read } = await readFinding(await file('a.json', text));
  expect(routeFinding(read, (await readCatalog(undefined)).packages).repo).toBe('dcc-mcp/dcc-mcp-maya');
  const own = await file('own.yml', `version: "1"\nentries:\n${entry('dcc-mcp-maya', 'studio/maya')}`);
  expect(routeFinding(read, (await readCatalog(own)).packages).repo).toBe('studio/maya');
});

test('what is no finding is refused by what is wrong with it, as invalid input', async () => {
  const file = await folder();
  const good = await file('good.json', text);
  const link = join(good, '..', 'link.json');
  await symlink(good, link);
  const wrong: readonly (readonly [string, RegExp])[] = [
    [link, /it is a link/],
    [join(good, '..', 'none.json'), /no such file/],
    [join(good, '..'), /no regular file/],
    [await file('large.json', `${text}${' '.repeat(600_000)}`), /at most 524288 are read/],
    [await file('latin.json', Buffer.from(text.replace('nothing', 'caf\u00e9'), 'latin1')), /no UTF-8/],
    [await file('keys.json', text.replace('{', '{"os":"x",')), /the key "os" stands twice/],
    [await file('more.json', text.replace('{', '{"more":1,')), /"more" is not a known field/],
    [await file('list.json', '[]'), /no JSON object/],
  ];
  for (const [path, message] of wrong) {
    const failure = describeFailure(await readFinding(path).catch((error: unknown) => error));
    expect(failure, path).toMatchObject({ exit_code: 2, message: expect.stringMatching(message) });
  }
});

test('what is no catalogue is refused, and what it leaves open is an error with its exit code', async () => {
  const file = await folder();
  const refused: readonly (readonly [string, RegExp])[] = [
    ['entries:\n\t- x', /bad.yml cannot be used: line 2/],
    ['name: x', /no list "entries"/],
    ['entries: [{ url: x }]', /"entries.0.name" is required/],
    ['entries: [{ name: x, issues_url: 3 }]', /"entries.0.issues_url" is no text/],
    ['entries: []\nentries: []', /line 2/],
  ];
  for (const [content, message] of refused) {
    await expect(readCatalog(await file('bad.yml', content)), content).rejects.toThrow(message);
  }
  const { finding: read } = await readFinding(await file('a.json', text));
  const { packages: twice } = await readCatalog(
    await file('twice.yml', `entries:\n${entry('dcc-mcp-maya', 'a/b')}${entry('dcc-mcp-maya', 'a/b')}`),
  );
  for (const [packages, exit_code] of [
    [twice, 7],
    [[], 2],
  ] as const) {
    let failure: unknown;
    try {
      routeFinding(read, packages);
    } catch (error) {
      failure = error;
    }
    expect(describeFailure(failure)).toMatchObject({ exit_code });
  }
});
