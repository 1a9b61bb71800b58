/** The manifests of the bundled skills as the build read them, so that a start compares their files and parses nothing. */
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isBuilt, packageRoot } from '../../../kernel/index.ts';
import type { SkillPackage } from './manifest.ts';

/** What the build writes to `dist/skills.json`, by folder name. */
export type ShippedPackages = Readonly<Record<string, Omit<SkillPackage, 'directory'>>>;

let reading: Promise<ShippedPackages> | undefined;

/** The package as it was shipped, when `location` is a bundled skill of a built server. */
export async function shippedPackage(location: string): Promise<SkillPackage | undefined> {
  const folder = join(packageRoot, 'skills');
  if (!isBuilt || dirname(location) !== folder) return undefined;
  reading ??= readFile(join(packageRoot, 'dist', 'skills.json'), 'utf8').then(
    text => JSON.parse(text) as ShippedPackages,
    () => ({}),
  );
  const name = basename(location);
  const packages = await reading;
  const found = Object.hasOwn(packages, name) ? packages[name] : undefined;
  return found && { ...found, directory: location };
}
