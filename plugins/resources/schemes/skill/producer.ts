/** `skill://`: every file of a served package; listed are the SKILL.md of each, which lead to the others. */
import { createHash } from 'node:crypto';
import { contentsOf } from '../../../../schemas/media-type.ts';
import type { ResourceProducer } from '../../api.ts';
import { servedSkillErrors } from './errors.ts';
import { manifestFile, type ServedSkills } from './served-skills.ts';
import { skillPathOf } from './skill-uri.ts';

export interface ProducerDeps {
  served: ServedSkills;
  maxBytes: number;
  /** Told of a followed file that says something else. */
  updated(uri: string): void;
  /** Told of a followed file that is gone. */
  removed(uri: string): void;
}

export function createSkillProducer({ served, maxBytes, updated, removed }: ProducerDeps) {
  /** What the followed files said last; undefined when they were not there. */
  const followed = new Map<string, string | undefined>();

  const read = async (uri: string): Promise<Buffer | undefined> => {
    const found = served.find(uri);
    return found?.folder.read(found.path, maxBytes);
  };
  const digestOf = async (uri: string): Promise<string | undefined> => {
    const bytes = await read(uri).catch(() => undefined);
    return bytes && createHash('sha256').update(bytes).digest('hex');
  };

  const producer: ResourceProducer = {
    scheme: 'skill',
    list: () => served.folders().map(folder => served.recordOf(folder, manifestFile)),
    templates: () => [
      {
        uriTemplate: `skill://{skill_name}/${manifestFile}`,
        name: 'Agent Skill',
        description: 'What a skill is for and how to use it',
        mimeType: 'text/markdown',
      },
    ],
    complete: (_template, _variable, value) =>
      served
        .folders()
        .map(({ name }) => name)
        .filter(name => name.startsWith(value.toLowerCase())),
    async read(uri) {
      const bytes = await read(uri);
      const found = served.find(uri);
      if (bytes && found) return [contentsOf(uri, found.path, bytes)];
      if (await found?.folder.children(found.path)) throw servedSkillErrors.IS_A_DIRECTORY({ uri });
      return undefined;
    },
    async follow(uri) {
      followed.set(uri, await digestOf(uri));
      return () => void followed.delete(uri);
    },
  };

  return {
    producer,
    /** Looks again at what is followed of a skill and tells what is different. */
    async look(skill: string): Promise<void> {
      for (const [uri, before] of [...followed]) {
        if (skillPathOf(uri)?.name !== skill) continue;
        const now = await digestOf(uri);
        if (now === before || !followed.has(uri)) continue;
        followed.set(uri, now);
        if (now === undefined) removed(uri);
        else updated(uri);
      }
    },
  };
}
