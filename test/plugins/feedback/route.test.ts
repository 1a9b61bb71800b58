/** Whose a finding is: every rule, and every way not to know. */
import { expect, test } from 'vitest';
import { catalog } from '../../../schemas/catalog.ts';
import type { Finding } from '../../../schemas/finding.ts';
import { NoRoute, type RoutedPackage, routeOf } from '../../../schemas/finding-route.ts';
import { fingerprintOf, ownerOf } from '../../../schemas/finding-rules.ts';
import { finding } from './support.ts';

const given = (fields: object): Finding => ({ ...finding, ...fields }) as Finding;
const issues = (repo: string): string => `https://github.com/${repo}/issues`;
const links = { source: 'skill_metadata', skill_name: 'rig', repo: 'Acme/Rig', issues_url: issues('Acme/Rig') };
const skill = (fields: object = {}): Finding =>
  given({ phase: 'skill', evidence: { routing: { ...links, ...fields } } });
const named = (...entries: RoutedPackage[]): RoutedPackage[] => entries;
const core = 'dcc-mcp/dcc-mcp-core';

test.each<[string, Finding, readonly RoutedPackage[], string, string]>([
  ...(['install', 'startup', 'dispatch'] as const).map(
    (phase): [string, Finding, readonly RoutedPackage[], string, string] => [
      `phase ${phase}`,
      given({ phase, adapter: 'DCC-MCP-Maya' }),
      catalog,
      'dcc-mcp/dcc-mcp-maya',
      'adapter_phase',
    ],
  ),
  ...['gateway', 'Gateway-Timeout', 'cli.crash', 'protocol_error', 'mcp_protocol_x', 'jsonrpc.parse'].map(
    (error_kind): [string, Finding, readonly RoutedPackage[], string, string] => [
      `error kind ${error_kind}`,
      given({ phase: 'other', evidence: { error_kind } }),
      catalog,
      core,
      'core_error_kind',
    ],
  ),
  ['an exact core kind', given({ evidence: { error_kind: 'unknown-slug' } }), catalog, core, 'core_error_kind'],
  [
    'a core kind in a skill',
    given({ phase: 'skill', evidence: { error_kind: 'cli_x' } }),
    catalog,
    core,
    'core_error_kind',
  ],
  ['the links of a skill', skill(), [], 'Acme/Rig', 'skill_metadata'],
  [
    'links with an address',
    skill({ repo: 'https://github.com/acme/rig.git', issues_url: `${links.issues_url}/` }),
    [],
    'Acme/Rig',
    'skill_metadata',
  ],
  [
    "a catalogue of one's own",
    given({ adapter: 'x' }),
    named({ name: 'X', issues_url: issues('a/b'), url: 'https://x.example' }),
    'a/b',
    'adapter_phase',
  ],
])('%s', (_, one, packages, repo, rationale) => {
  expect(routeOf(one, packages)).toEqual({ repo, issues_url: issues(repo), rationale });
});

test.each<[string, Finding, readonly RoutedPackage[], RegExp, boolean]>([
  ['phase other', given({ phase: 'other' }), catalog, /phase "other"/, false],
  [
    'a kind that only begins so',
    given({ phase: 'other', evidence: { error_kind: 'gatewayish' } }),
    catalog,
    /phase "other"/,
    false,
  ],
  ['an unknown package', given({ adapter: 'dcc-mcp-may' }), catalog, /no package "dcc-mcp-may"/, false],
  [
    'a package twice',
    given({ adapter: 'a' }),
    named({ name: 'a', issues_url: issues('a/b') }, { name: 'A' }),
    /more than one package/,
    true,
  ],
  ['a package without issues', given({ adapter: 'a' }), named({ name: 'a' }), /no issues_url/, false],
  [
    'links of two repositories',
    given({ adapter: 'a' }),
    named({ name: 'a', issues_url: issues('a/b'), url: 'https://github.com/a/c' }),
    /different/,
    true,
  ],
  ...[
    'http://github.com/a/b/issues',
    'https://github.com/a/b/issues?x=1',
    'https://github.com/a/issues',
    'https://gitlab.com/a/b/issues',
    'https://u@github.com/a/b/issues',
    'https://github.com/a/../issues',
    'https://github.com/a/b/c/issues',
  ].map((issues_url): [string, Finding, readonly RoutedPackage[], RegExp, boolean] => [
    issues_url,
    given({ adapter: 'a' }),
    named({ name: 'a', issues_url }),
    /issues_url must be/,
    false,
  ]),
  ['no core in the catalogue', given({ evidence: { error_kind: 'cli_x' } }), [], /dcc-mcp-core/, false],
  ['a skill without links', given({ phase: 'skill' }), catalog, /never the adapter/, false],
  ['links from elsewhere', skill({ source: 'guess' }), [], /source must be/, false],
  ['links of no skill', skill({ skill_name: ' ' }), [], /skill_name is required/, false],
  ['links without issues', skill({ issues_url: undefined }), [], /are required/, false],
  ['links with more', skill({ branch: 'x' }), [], /"branch" is not a known field/, false],
  ['links of two places', skill({ repo: 'acme/other' }), [], /different repositories/, true],
  ['a repository that is none', skill({ repo: 'https://github.com/acme/rig/tree' }), [], /must be owner\/name/, false],
])('%s: an error and no guess', (_, one, packages, reason, conflict) => {
  let thrown: unknown;
  try {
    routeOf(one, packages);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(NoRoute);
  expect(thrown).toMatchObject({ message: expect.stringMatching(reason), conflict });
});

test('the fingerprint of a finding is that of the repository it is routed to', () => {
  for (const one of [given({}), skill(), given({ phase: 'other', evidence: { error_kind: 'cli_x' } })]) {
    const { repo } = routeOf(one, catalog);
    expect(fingerprintOf(one, ownerOf(one))).toBe(fingerprintOf(one, repo));
    expect(fingerprintOf(one, `https://github.com/${repo.toUpperCase()}.git/`)).not.toBe(fingerprintOf(one, 'a/b'));
  }
  expect(fingerprintOf(given({}), 'https://github.com/DCC-MCP/dcc-mcp-maya.git')).toBe(finding.fingerprint);
});
