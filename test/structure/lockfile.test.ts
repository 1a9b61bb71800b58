import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../kernel/index.ts';
import { sources } from './sources.ts';

interface Lockfile {
  packages: Record<string, { optionalDependencies?: Record<string, string>; resolved?: string; version?: string }>;
}

const read = (name: string) => JSON.parse(readFileSync(join(packageRoot, name), 'utf8'));
const lock = read('package-lock.json') as Lockfile;
// Apart from the product's: the trees of the suite and of the clients are large, and nothing of them ships.
const suiteLock = read('test/conformance/suite/package-lock.json') as Lockfile;
const clientsLock = read('test/clients/package-lock.json') as Lockfile;
const manifest = read('package.json') as Record<
  'dependencies' | 'optionalDependencies' | 'devDependencies',
  Record<string, string>
>;

const shipped = { ...manifest.dependencies, ...manifest.optionalDependencies };

test('every optional dependency in the lockfile has its own entry, so that npm ci works on every platform', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {}).filter(
      name =>
        !lock.packages[`${path}/node_modules/${name}`] &&
        !Object.keys(lock.packages).some(each => each.endsWith(`node_modules/${name}`)),
    ),
  );
  expect(missing).toEqual([]);
});

test('the lockfiles name no registry host', () => {
  for (const each of [lock, suiteLock, clientsLock]) {
    expect(Object.values(each.packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  }
});

test('the conformance suite is pinned to one version, and its lockfile has it', () => {
  const { dependencies } = read('test/conformance/suite/package.json') as typeof manifest;
  for (const [name, version] of Object.entries(dependencies)) {
    expect(version).toMatch(/^\d+\.\d+\.\d+-alpha\.\d+$/);
    expect(suiteLock.packages[`node_modules/${name}`]?.version).toBe(version);
  }
});

test('the clients are pinned to exact versions, and their lockfile has them', () => {
  const { dependencies } = read('test/clients/package.json') as typeof manifest;
  for (const [name, version] of Object.entries(dependencies)) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
    expect(clientsLock.packages[`node_modules/${name}`]?.version, name).toBe(version);
  }
});

test('dependencies are exact versions, and the lockfile has them', () => {
  for (const [name, version] of Object.entries({ ...shipped, ...manifest.devDependencies })) {
    // better-sqlite3 has one line per Node version: npm picks by engine.
    const versions = name === 'better-sqlite3' ? version.split(' || ').map(each => each.replace('^', '')) : [version];
    for (const each of versions) expect(each, name).toMatch(/^\d+\.\d+\.\d+$/);
    expect(versions, name).toContain(lock.packages[`node_modules/${name}`]?.version);
  }
});

test('every package whose code ships is a dependency, and every dependency ships', () => {
  const tools = /^cli\/(build(-\w+)?|docs(-text)?|licences)\.ts$/;
  const bundledSkills = sources('skills').filter(each => !each.path.startsWith('skills/examples/'));
  const imported = [...sources('schemas', 'kernel', 'plugins', 'cli'), ...bundledSkills]
    .filter(each => !tools.test(each.path))
    .flatMap(each => each.imports.map(({ specifier }) => specifier))
    .filter(specifier => !specifier.startsWith('.') && !isBuiltin(specifier) && !/^svc(\/|$)/.test(specifier))
    .map(specifier => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier);
  // What skills of others may use, and what Fastify's own types name.
  const unseen = ['light-my-request'];
  expect([...new Set(imported)].sort()).toEqual(
    Object.keys(shipped)
      .filter(name => !unseen.includes(name))
      .sort(),
  );
});
