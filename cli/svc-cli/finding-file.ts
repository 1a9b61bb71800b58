/** A finding that a person has in a file, and the catalogue of packages that it is routed by. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { catalog } from '../../schemas/catalog.ts';
import type { Finding } from '../../schemas/finding.ts';
import { NoRoute, type Route, type RoutedPackage, routeOf } from '../../schemas/finding-route.ts';
import { isObject, text } from '../../schemas/loose.ts';
import { cliErrors } from '../errors.ts';
import { bytesOfFile } from './own-file.ts';

const mostFinding = 512 << 10;
const mostCatalog = 4 << 20;
/** Read instead of the bundled one where it stands in the working directory. */
const catalogName = 'dcc-mcp-catalog.yml';
/** Stands for the path of the bundled catalogue. */
const bundled = '@bundled:dcc-mcp-catalog:v1';

/** A file that was read: where it really is, and which bytes it had. */
interface Read {
  path: string;
  /** `sha256:` and the digest of its bytes. */
  sha256: string;
}

export interface ReadFinding extends Read {
  finding: Finding;
}

export interface ReadCatalog extends Read {
  packages: readonly RoutedPackage[];
}

const sha256Of = (bytes: Uint8Array | string): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** The same name for the same file, from whatever folder. A link is refused before. */
const canonical = async (file: string): Promise<string> =>
  join(await realpath(dirname(resolve(file))), basename(resolve(file)));

/** Rejects with SVC_CLI_FINDING_INVALID. */
export async function readFinding(file: string): Promise<ReadFinding> {
  const refuse = (reason: string, cause?: unknown) => cliErrors.FINDING_INVALID({ file, reason }, cause);
  const bytes = await bytesOfFile(file, mostFinding, refuse);
  // What checks it is loaded for those who need it.
  const [{ createSchemas }, { createFindingReader }] = await Promise.all([
    import('../../kernel/index.ts'),
    import('../../schemas/finding-reading.ts'),
  ]);
  const schemas = createSchemas();
  const check = (schema: Record<string, unknown>, value: unknown) => schemas.compile(schema, 'own')(value);
  const reader = createFindingReader({ check, refuse });
  return { path: await canonical(file), sha256: sha256Of(bytes), finding: reader.finding(reader.body(bytes)) };
}

/** Rejects with SVC_CLI_FINDING_UNREVIEWED when a person has not said that the public may read it. */
export async function readReviewedFinding(file: string): Promise<ReadFinding> {
  const read = await readFinding(file);
  if (read.finding.redaction_status.mode !== 'public-safe') throw cliErrors.FINDING_UNREVIEWED({ file });
  return read;
}

/** The packages of a catalogue file, that of the working directory or the bundled ones; rejects with SVC_CLI_CATALOG_INVALID. */
export async function readCatalog(given: string | undefined): Promise<ReadCatalog> {
  const file = given ?? ((await isFilled(catalogName)) ? catalogName : undefined);
  if (file === undefined) return { path: bundled, sha256: sha256Of(JSON.stringify(catalog)), packages: catalog };
  const refuse = (reason: string, cause?: unknown) => cliErrors.CATALOG_INVALID({ file, reason }, cause);
  const bytes = await bytesOfFile(file, mostCatalog, refuse);
  if (!isUtf8(bytes)) throw refuse('it is no UTF-8');
  const { readYaml } = await import('../../schemas/yaml-document.ts');
  let value: unknown;
  try {
    ({ value } = readYaml(bytes.toString()));
  } catch (error) {
    throw refuse((error as Error).message, error);
  }
  const entries = isObject(value) ? value.entries : undefined;
  if (!Array.isArray(entries)) throw refuse('it has no list "entries"');
  const packages = entries.map((entry: unknown, index) => packageOf(entry, `entries.${index}`, refuse));
  return { path: await canonical(file), sha256: sha256Of(bytes), packages };
}

const isFilled = (file: string): Promise<boolean> =>
  lstat(file).then(
    stats => stats.size > 0,
    () => false,
  );

function packageOf(entry: unknown, where: string, refuse: (reason: string) => Error): RoutedPackage {
  if (!isObject(entry)) throw refuse(`"${where}" is no object`);
  const { name, url, issues_url } = entry;
  if (!text(name)?.trim()) throw refuse(`"${where}.name" is required`);
  for (const [key, link] of Object.entries({ url, issues_url })) {
    if (link !== undefined && link !== null && typeof link !== 'string') throw refuse(`"${where}.${key}" is no text`);
  }
  return { name: String(name).trim(), url: text(url), issues_url: text(issues_url) };
}

/** The catalogue's path as a flag gives it; nothing for the bundled one. */
export const catalogFlag = ({ path }: ReadCatalog): string[] => (path === bundled ? [] : ['--catalog', path]);

/** Throws SVC_CLI_NO_ROUTE or SVC_CLI_ROUTE_CONFLICT. */
export function routeFinding(finding: Finding, packages: readonly RoutedPackage[]): Route {
  try {
    return routeOf(finding, packages);
  } catch (error) {
    if (!(error instanceof NoRoute)) throw error;
    const { message: reason, conflict } = error;
    throw conflict ? cliErrors.ROUTE_CONFLICT({ reason }, error) : cliErrors.NO_ROUTE({ reason }, error);
  }
}
