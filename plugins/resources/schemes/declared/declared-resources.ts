/** Serves what loaded skills declare: a producer for each scheme that they use and nobody else has. */
import type { AsyncDisposer } from '../../../../kernel/index.ts';
import { contentsOf } from '../../../../schemas/media-type.ts';
import type { SkillsService } from '../../../skills/api.ts';
import type { ResourceContents, ResourcesService } from '../../api.ts';
import type { DeclaredResource } from './declarations.ts';

export interface DeclaredResourcesDeps {
  resources: Pick<ResourcesService, 'addProducer' | 'listChanged' | 'updated' | 'maxBytes'>;
  skills: Pick<SkillsService, 'loaded'>;
}

interface Owned extends DeclaredResource {
  skill: string;
}

export function createDeclaredResources({ resources, skills }: DeclaredResourcesDeps) {
  const bySkill = new Map<string, readonly Owned[]>();
  const byUri = new Map<string, Owned>();
  const producers = new Map<string, AsyncDisposer>();

  const read = async (uri: string): Promise<readonly ResourceContents[] | undefined> => {
    const found = byUri.get(uri);
    if (!found) return undefined;
    const { record, file, text } = found;
    const own = record.mimeType !== undefined && { mimeType: record.mimeType };
    if (file === undefined) return [{ uri, text: text ?? '', ...own }];
    const bytes = await skills.loaded(found.skill)?.bytes(file, resources.maxBytes);
    return bytes && [{ ...contentsOf(uri, file, bytes), ...own }];
  };

  /** Whether the scheme is ours to serve; a scheme that another producer has stays its own. */
  const serve = (scheme: string): boolean => {
    if (producers.has(scheme)) return true;
    try {
      const list = () => [...byUri.values()].map(each => each.record).filter(({ uri }) => schemeOf(uri) === scheme);
      producers.set(scheme, resources.addProducer({ scheme, list, read }) as AsyncDisposer);
      return true;
    } catch {
      return false;
    }
  };

  const settle = async (skill: string, wanted: readonly Owned[]): Promise<void> => {
    for (const { record } of bySkill.get(skill) ?? []) byUri.delete(record.uri);
    if (wanted.length > 0) bySkill.set(skill, wanted);
    else bySkill.delete(skill);
    for (const each of wanted) byUri.set(each.record.uri, each);
    const used = new Set([...byUri.keys()].map(schemeOf));
    for (const [scheme, remove] of [...producers]) {
      if (used.has(scheme)) continue;
      producers.delete(scheme);
      await remove();
    }
  };

  const publish = async (skill: string, found: readonly DeclaredResource[]): Promise<string[]> => {
    const before = bySkill.get(skill) ?? [];
    if (before.length === 0 && found.length === 0) return [];
    const problems: string[] = [];
    const wanted = found.filter(({ record: { uri } }) => {
      const other = byUri.get(uri);
      const taken = other && other.skill !== skill ? `the skill "${other.skill}"` : undefined;
      const owner = taken ?? (serve(schemeOf(uri)) ? undefined : 'another part of the server');
      if (owner !== undefined) problems.push(`"${uri}" is served by ${owner}`);
      return owner === undefined;
    });
    const owned = wanted.map(each => ({ ...each, skill }));
    await settle(skill, owned);
    if (JSON.stringify(before.map(each => each.record)) !== JSON.stringify(owned.map(each => each.record))) {
      resources.listChanged();
    }
    for (const { record } of owned)
      if (before.some(each => each.record.uri === record.uri)) resources.updated(record.uri);
    return problems;
  };

  return {
    /** Replaces what is served of a skill; gives a sentence for each resource that cannot be. */
    publish,
    async drop(skill: string): Promise<void> {
      await publish(skill, []);
    },
    async dispose(): Promise<void> {
      for (const skill of [...bySkill.keys()]) await settle(skill, []);
    },
  };
}

const schemeOf = (uri: string): string => uri.slice(0, uri.indexOf('://'));
