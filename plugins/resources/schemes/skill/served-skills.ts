/** The packages as the skills extension serves them: entries with a complete manifest, and folders level by level. */
import { type Logger, messageOf } from '../../../../kernel/index.ts';
import { directoryType, mediaTypeOf } from '../../../../schemas/media-type.ts';
import type { PackageFolder, SkillsService } from '../../../skills/api.ts';
import type { ResourceRecord } from '../../api.ts';
import { servedSkillErrors } from './errors.ts';
import { skillPathOf, skillUri } from './skill-uri.ts';

export interface SkillEntry {
  uri: string;
  frontmatter: Readonly<Record<string, unknown>>;
  resources: { uri: string; digest: string; size: number }[];
}

/** How the Agent Skills format names a skill; a package of another name has no skill URI. */
const nameShape = /^(?!.*--)[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
export const manifestFile = 'SKILL.md';

export type ServedSkills = ReturnType<typeof createServedSkills>;

export function createServedSkills(skills: Pick<SkillsService, 'packages' | 'package'>, log: Pick<Logger, 'debug'>) {
  /** The package that a URI lies in, and where. */
  const find = (uri: unknown): { folder: PackageFolder; path: string } | undefined => {
    const found = skillPathOf(uri);
    const folder = found && nameShape.test(found.name) ? skills.package(found.name) : undefined;
    return found && folder && { folder, path: found.path };
  };

  const entryOf = async (folder: PackageFolder): Promise<SkillEntry> => {
    const { frontmatter, files } = await folder.contents();
    // Between a save and the next look at the disk the file says more than the catalogue knows.
    if (frontmatter.name !== folder.name) throw new Error(`its SKILL.md does not name it "${folder.name}"`);
    return {
      uri: skillUri(folder.name, manifestFile),
      frontmatter,
      resources: files.map(({ path, size, digest }) => ({
        uri: skillUri(folder.name, path),
        digest: `sha256:${digest}`,
        size,
      })),
    };
  };

  const recordOf = ({ name, description }: PackageFolder, path: string): ResourceRecord => {
    const mimeType = mediaTypeOf(path);
    const uri = skillUri(name, path);
    if (path === manifestFile) return { uri, name, description, mimeType: 'text/markdown' };
    return { uri, name: path.slice(path.lastIndexOf('/') + 1), ...(mimeType && { mimeType }) };
  };

  return {
    find,
    recordOf,

    /** Packages that have a skill URI, by name. */
    folders: (): PackageFolder[] =>
      skills
        .packages()
        .filter(each => nameShape.test(each.name))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),

    /** Their entries; a package that cannot be served is left out. */
    async entries(folders: readonly PackageFolder[]): Promise<SkillEntry[]> {
      const entries: SkillEntry[] = [];
      for (const folder of folders) {
        try {
          entries.push(await entryOf(folder));
        } catch (err) {
          log.debug({ skill: folder.name, err }, 'a skill is not served to agents');
        }
      }
      return entries;
    },

    /** The entry of the skill whose SKILL.md is `uri`; rejects with SVC_AGENT_SKILLS_NOT_SERVED. */
    async entry(uri: unknown): Promise<SkillEntry> {
      const found = find(uri);
      const refuse = (reason: string) => servedSkillErrors.NOT_SERVED({ uri: shown(uri), reason });
      if (!found) throw refuse('no package has that name');
      if (found.path !== manifestFile) throw refuse('the URI of a skill ends with its "/SKILL.md"');
      return entryOf(found.folder).catch(error => Promise.reject(refuse(messageOf(error))));
    },

    /** What lies in the directory `uri`; rejects with SVC_AGENT_SKILLS_NOT_A_DIRECTORY. */
    async children(uri: unknown): Promise<ResourceRecord[]> {
      const found = find(uri);
      const children = await found?.folder.children(found.path);
      if (!found || !children) throw servedSkillErrors.NOT_A_DIRECTORY({ uri: shown(uri) });
      const { folder, path } = found;
      return children.map(({ name, directory }) => {
        const below = path === '' ? name : `${path}/${name}`;
        return directory
          ? { uri: skillUri(folder.name, below), name, mimeType: directoryType }
          : recordOf(folder, below);
      });
    },
  };
}

const shown = (uri: unknown): string => (typeof uri === 'string' ? uri.slice(0, 200) : 'a URI that is no text');
