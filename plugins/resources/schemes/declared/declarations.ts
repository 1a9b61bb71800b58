/** What a package declares as resources: `metadata.svc.resources`, and the YAML files that it names. */
import { messageOf } from '../../../../kernel/index.ts';
import type { LoadedSkill } from '../../../skills/api.ts';
import type { ResourceRecord } from '../../api.ts';

/** A resource that is a file of a package, or a text that its declaration holds. */
export interface DeclaredResource {
  record: ResourceRecord;
  /** Relative to the package. */
  file?: string;
  text?: string;
}

export interface Declarations {
  resources: DeclaredResource[];
  /** Sentences for the log and for whoever validates the package. */
  problems: string[];
}

type Fields = Record<string, unknown>;

const mostResources = 500;
const declarationFile = /\.ya?ml$/i;
const resourceFile = /\.resource\.ya?ml$/i;
/** As `schemeOf` of this room takes them. */
const uriPattern = /^[a-z][a-z0-9+.-]*:\/\/[^\s]+$/;

/** Reads them all; never rejects: what is wrong is a problem, and the rest counts. */
export async function readDeclarations(skill: LoadedSkill): Promise<Declarations> {
  const { resources: setting } = skill.settings;
  const found: Declarations = { resources: [], problems: [] };
  const known = new Set<string>();
  const add = (given: DeclaredResource, where: string): void => {
    const { uri } = given.record;
    if (known.has(uri)) found.problems.push(`${where}: "${uri}" is declared twice`);
    else if (known.size >= mostResources) found.problems.push(`${where}: only ${mostResources} resources are served`);
    else found.resources.push(given);
    known.add(uri);
  };

  const declared = (data: unknown, file: string): void => {
    for (const [index, entry] of entriesOf(data).entries()) {
      const given = resourceOf(entry, file);
      if (typeof given === 'string') found.problems.push(`${file}: entry ${index + 1}: ${given}`);
      else add(given, file);
    }
  };
  const file = async (path: string): Promise<void> => {
    if (!declarationFile.test(path)) return add(fileResource(skill.name, path), path);
    const data = await skill.yaml(path);
    if (data === undefined) throw new Error('the file does not exist');
    declared(data, path);
  };
  const place = async (path: string): Promise<void> => {
    // A URI alone says that the package works with it: whoever serves it lists it.
    if (uriPattern.test(path)) return;
    const files = await filesOf(skill, path);
    for (const each of files) await attempt(each, () => file(each));
  };
  const attempt = async (where: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      found.problems.push(`${where}: ${messageOf(error)}`);
    }
  };

  for (const entry of Array.isArray(setting) ? (setting as unknown[]) : setting === undefined ? [] : [setting]) {
    if (typeof entry === 'string') await attempt(entry.slice(0, 120), () => place(entry));
    else declared(entry, 'resources');
  }
  return found;
}

/** The files behind a path: itself, what a pattern matches, or of a folder its `*.resource.yaml`, else all of it. */
async function filesOf(skill: LoadedSkill, path: string): Promise<string[]> {
  if (/[*?]/.test(path)) return skill.files(path);
  const inside = (await skill.files(`${path.replace(/[\\/]+$/, '')}/*`)).filter(each => each !== path);
  if (inside.length === 0) return /[\\/]$/.test(path) ? [] : [path.replaceAll('\\', '/')];
  const declarations = inside.filter(each => resourceFile.test(each));
  return declarations.length > 0 ? declarations : inside;
}

/** One resource, a list of them, or `resources:` with a list. */
function entriesOf(data: unknown): unknown[] {
  const inner = isFields(data) && 'resources' in data ? data.resources : data;
  return Array.isArray(inner) ? (inner as unknown[]) : [inner];
}

/** The resource of an entry, or what is wrong with it. */
function resourceOf(entry: unknown, from: string): DeclaredResource | string {
  if (!isFields(entry)) return 'it is not a mapping';
  const { uri, name, title, description, mimeType, mime_type = mimeType, mime = mime_type } = entry;
  if (typeof uri !== 'string' || !uriPattern.test(uri)) return '"uri" must look like scheme://path';
  const source = isFields(entry.source) ? entry.source : entry;
  const text = source.text ?? source.content;
  const path = typeof entry.source === 'string' ? entry.source : (source.path ?? source.file);
  if (typeof path !== 'string' && typeof text !== 'string') return '"source" names no file and holds no text';
  const record: ResourceRecord = {
    uri,
    name: typeof name === 'string' && name !== '' ? name : uri,
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    ...(typeof mime === 'string' && { mimeType: mime }),
  };
  return typeof path === 'string' ? { record, file: beside(from, path) } : { record, text: String(text) };
}

/** A file that is named without a URI. */
const fileResource = (skill: string, path: string): DeclaredResource => ({
  record: { uri: `package://${skill}/${path.split('/').map(encodeURIComponent).join('/')}`, name: path },
  file: path,
});

/** `path` as seen from the folder of `from`; that it stays in the package is seen when it is read. */
const beside = (from: string, path: string): string =>
  from.includes('/') ? `${from.slice(0, from.lastIndexOf('/'))}/${path}` : path;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
