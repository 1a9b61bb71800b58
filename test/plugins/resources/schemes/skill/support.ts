/** Servers over a folder with skill packages that are served to agents. */
import { hash } from 'node:crypto';
import { expect } from 'vitest';
import { createServer, quiet, type SkillFixture, skillFolder, startConnected } from '../../../../spec/fixture.ts';
import type { Json, Wire } from '../../../../spec/wire.ts';

export { createServer, quiet };

export interface Entry {
  uri: string;
  frontmatter: Json;
  resources: { uri: string; digest: string; size: number }[];
}

/** A connected client of a server over `skills`, and the folder that they lie in. */
export async function served(skills: Record<string, SkillFixture>, options: Json = {}) {
  const folder = await skillFolder(skills);
  const { client } = await startConnected({ skill_paths: [folder], ...options });
  return { folder, client };
}

export const listed = async (client: Wire): Promise<Entry[]> =>
  (await client.result('skills/list')).skills as unknown as Entry[];

export const entryOf = async (client: Wire, name: string): Promise<Entry> =>
  (await client.result('skills/get', { uri: `skill://${name}/SKILL.md` })).skill as unknown as Entry;

export const pathsOf = (entry: Entry): string[] =>
  entry.resources.map(({ uri }) => uri.slice(entry.uri.length - 'SKILL.md'.length));

/** The bytes of a read, and what the server calls them. */
export async function read(client: Wire, uri: string): Promise<{ bytes: Buffer; mimeType: string; blob: boolean }> {
  const { contents } = await client.result('resources/read', { uri });
  const [item] = contents as { uri: string; mimeType: string; text?: string; blob?: string }[];
  expect(item?.uri).toBe(uri);
  const bytes = item?.text === undefined ? Buffer.from(item?.blob ?? '', 'base64') : Buffer.from(item.text);
  return { bytes, mimeType: item?.mimeType ?? '', blob: item?.blob !== undefined };
}

export const digestOf = (bytes: Buffer): string => `sha256:${hash('sha256', bytes)}`;
