/** Tools of skills and of the host as REST names them, `<dcc>.<skill>.<action>`: search, look-up, next step (shape:family, shape:naming). */
import type { SkillSummary, SkillsService } from '../../skills/api.ts';
import type { ToolRecord, ToolsService } from '../../tools/api.ts';
import { restErrors } from '../errors.ts';

/** What a search hit and a description say of a capability. */
export interface CapabilityRow {
  slug: string;
  skill: string;
  action: string;
  dcc: string;
  summary: string;
  loaded: boolean;
  has_schema: boolean;
  scope: string;
  annotations?: Record<string, unknown>;
  metadata?: Readonly<Record<string, unknown>>;
  /** What a reader should know before following its words. */
  flags?: readonly unknown[];
}

export interface CapabilitiesDeps {
  tools: Pick<ToolsService, 'list'>;
  skills: Pick<SkillsService, 'list'>;
  /** Host type of tools that name none. */
  dcc: string;
}

export type Capabilities = ReturnType<typeof createCapabilities>;

const longestSummary = 160;
const mostCandidates = 5;

export function createCapabilities({ tools, skills, dcc }: CapabilitiesDeps) {
  const slugOf = (host: string, owner: string, action: string): string => `${host || dcc}.${owner}.${action}`;
  const served = (): ToolRecord[] => tools.list().filter(({ source }) => source === 'skill' || source === 'host');
  const slug = (tool: ToolRecord): string => slugOf(tool.dcc, ownerOf(tool), tool.action);
  /** Scopes by skill: read once per request, since every listing of the skills summarises them all. */
  const scopes = (): ReadonlyMap<string, string> => new Map(skills.list().map(each => [each.name, each.scope]));

  const loadedRow = (tool: ToolRecord, known: ReadonlyMap<string, string>): CapabilityRow => ({
    slug: slug(tool),
    skill: ownerOf(tool),
    action: tool.action,
    dcc: tool.dcc || dcc,
    summary: brief(tool.description),
    loaded: true,
    has_schema: Object.keys((tool.input_schema.properties as object | undefined) ?? {}).length > 0,
    scope: (tool.skill_name !== undefined && known.get(tool.skill_name)) || 'host',
    annotations: wireAnnotations(tool),
    ...(Object.keys(tool.metadata).length > 0 && { metadata: tool.metadata }),
    ...(Array.isArray(tool.metadata.flags) && { flags: tool.metadata.flags }),
  });

  const unloadedRow = (skill: SkillSummary, action: string): CapabilityRow => ({
    slug: slugOf(skill.dcc, skill.name, action),
    skill: skill.name,
    action,
    dcc: skill.dcc || dcc,
    summary: brief(skill.description),
    loaded: false,
    has_schema: false,
    scope: skill.scope,
    ...(skill.flags && { flags: skill.flags }),
  });

  const ownerOfUnloaded = (wanted: string): SkillSummary | undefined =>
    skills.list('unloaded').find(each => each.tool_names.some(action => unloadedRow(each, action).slug === wanted));

  return {
    slug,
    scopes,
    loadedRow,
    unloadedRow,

    /** Every capability that can be called now. */
    rows(): CapabilityRow[] {
      const known = scopes();
      return served().map(each => loadedRow(each, known));
    },

    /** The skill of a tool, loaded or not; throws as `find` does for a slug that is none. */
    skillOf(wanted: string): string | undefined {
      return ownerOfUnloaded(wanted)?.name ?? this.find(wanted).skill_name;
    },

    /** The tool behind a slug; throws SVC_REST_UNKNOWN_SLUG, _AMBIGUOUS_SLUG or _SKILL_NOT_LOADED. */
    find(wanted: string): ToolRecord {
      const all = served();
      const found = all.filter(each => slug(each) === wanted);
      const [tool] = found;
      if (found.length > 1) throw restErrors.AMBIGUOUS_SLUG({ slug: wanted.slice(0, 200) });
      if (tool) return tool;
      const owner = ownerOfUnloaded(wanted);
      if (owner) throw restErrors.SKILL_NOT_LOADED({ slug: wanted, skill: owner.name });
      const action = wanted.slice(wanted.lastIndexOf('.') + 1);
      const near = all.filter(each => action !== '' && each.action.includes(action)).map(slug);
      throw restErrors.UNKNOWN_SLUG({ slug: wanted.slice(0, 200), candidates: near.slice(0, mostCandidates) });
    },
  };
}

/** What a client would do next with a hit; `path` and `body` are ready to be sent. */
export function nextStep({ slug, skill, loaded }: CapabilityRow): Record<string, unknown> {
  const [action, args] = loaded
    ? ['describe', { tool_slug: slug }]
    : ['load_skill', { skill_name: skill, target_tool_slug: slug }];
  return { action, arguments: args, rest: { method: 'POST', path: `/v1/${action}`, body: args } };
}

const ownerOf = ({ skill_name, source }: ToolRecord): string => skill_name ?? source;

function brief(description: string): string {
  const line = description.replaceAll(/\s+/g, ' ').trim();
  return line.length > longestSummary ? `${line.slice(0, longestSummary - 1)}…` : line;
}

function wireAnnotations({ annotations }: ToolRecord): Record<string, unknown> {
  const entries = Object.entries(annotations).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([key, value]) => [key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()), value]),
  );
}
