/** What is run against what: one row of the table each. */
import { fixtureFree, skills, stateful, tasks } from './scenarios.ts';
import type { Servers } from './servers.ts';

export interface Row {
  /** Name of the row; a filter looks for words in it. */
  what: string;
  url(servers: Servers): string;
  /** Speaks this older revision through a proxy. */
  older?: string;
  /** Warnings are failures. */
  strict?: boolean;
  /** Scenarios are asked for one by one; each must run, none may be skipped. */
  scenarios?: readonly string[];
  /** Arguments of the suite. */
  args: readonly string[];
}

type Place = Pick<Row, 'url'> & { name: string };

const places: readonly Place[] = [
  { name: 'svc-server', url: each => each.server },
  { name: 'embedded', url: each => each.host },
  { name: 'through the gateway', url: each => each.throughGateway },
];

function rowsOf({ name, url }: Place): Row[] {
  const row = (what: string, args: readonly string[], more: Partial<Row> = {}): Row => ({
    ...{ what: `${name}: ${what}`, url, args },
    ...more,
  });
  return [
    ...['2025-11-25', '2026-07-28'].flatMap(revision => [
      row(`required for ${revision}`, ['--requirements', revision]),
      row(`required for ${revision}, strict`, ['--requirements', revision], { strict: true }),
    ]),
    row('every scenario', ['--suite', 'all']),
    row('tasks extension', [], { scenarios: tasks }),
    row('skills extension', [], { scenarios: skills }),
    ...['2025-03-26', '2025-06-18'].map(older =>
      row(`stateful on the ${older} wire`, ['--spec-version', older, '--force'], { older, scenarios: stateful }),
    ),
  ];
}

export const plan: readonly Row[] = [
  ...places.flatMap(rowsOf),
  ...Object.entries(fixtureFree).map(([revision, scenarios]) => ({
    what: `the gateway's own endpoint: without the fixture, ${revision}`,
    url: (servers: Servers) => servers.gateway,
    args: ['--spec-version', revision],
    scenarios,
  })),
  {
    what: "the gateway's own endpoint: skills extension",
    url: (servers: Servers) => servers.gateway,
    args: [],
    scenarios: skills,
  },
];
