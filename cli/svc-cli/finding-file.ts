/** A finding that a person has in a file, and the catalogue of packages that it is routed by. */
import { isUtf8 } from 'node:buffer';
import { catalog } from '../../schemas/catalog.ts';
import type { Finding } from '../../schemas/finding.ts';
import { NoRoute, type Route, type RoutedPackage, routeOf } from '../../schemas/finding-route.ts';
import { isObject, text } from '../../schemas/loose.ts';
import { cliErrors } from '../errors.ts';
import { bytesOfFile } from './own-file.ts';

const mostFinding = 512 << 10;
const mostCatalog = 4 << 20;

/** Rejects with SVC_CLI_FINDING_INVALID. */
export async function readFinding(file: string): Promise<Finding> {
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
  return reader.finding(reader.body(bytes));
}

/** The packages of a catalogue file, or the bundled ones; rejects with SVC_CLI_CATALOG_INVALID. */
export async function readCatalog(file: string | undefined): Promise<readonly RoutedPackage[]> {
  if (file === undefined) return catalog;
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
  return entries.map((entry: unknown, index) => packageOf(entry, `entries.${index}`, refuse));
}

function packageOf(entry: unknown, where: string, refuse: (reason: string) => Error): RoutedPackage {
  if (!isObject(entry)) throw refuse(`"${where}" is no object`);
  const { name, url, issues_url } = entry;
  if (!text(name)?.trim()) throw refuse(`"${where}.name" is required`);
  for (const [key, link] of Object.entries({ url, issues_url })) {
    if (link !== undefined && link !== null && typeof link !== 'string') throw refuse(`"${where}.${key}" is no text`);
  }
  return { name: String(name).trim(), url: text(url), issues_url: text(issues_url) };
}

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
