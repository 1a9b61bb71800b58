/** What other plugins of the gateway may use of the capability index (shape:search). */
import type { JsonSchema } from '../../../kernel/index.ts';
import type { Instance } from '../../instances/api.ts';
import type { Doubt, RankedHit, RankedInput } from '../../search/api.ts';

export interface CapabilityAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** `metadata` of a record: how the tool runs. */
export interface CapabilityMetadata {
  affinity?: string;
  execution?: string;
  timeoutHintSecs?: number;
  jobStrategy?: string;
  enforceThreadAffinity?: boolean;
  risk?: string;
  toolRole?: string;
}

export interface AvailableGroup {
  name: string;
  description?: string;
  tools?: string[];
  default_active: boolean;
  active?: boolean;
}

/** One tool of one instance, callable now or after its skill is loaded. */
export interface CapabilityRecord {
  /** `<dcc>.<id8>.<tool>` */
  readonly tool_slug: string;
  /** Name that the backend knows it by. */
  readonly backend_tool: string;
  /** `<skill>__<action>`, or the name for a tool without skill. */
  readonly callable_id: string;
  readonly skill_name: string | null;
  /** At most 160 characters. */
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly aliases: readonly string[];
  /** What the skill's author says it is found by; searched, of no use to a caller. */
  readonly search_hint?: string;
  readonly dcc_type: string;
  readonly instance_id: string;
  readonly has_schema: boolean;
  readonly loaded: boolean;
  /** False while its tool group is collapsed; true without a group. */
  readonly group_active: boolean;
  readonly tool_group?: string;
  readonly annotations?: CapabilityAnnotations;
  readonly metadata?: CapabilityMetadata;
  readonly available_groups?: readonly AvailableGroup[];
  /** Found, but not executable. */
  readonly discovery_only?: boolean;
  /** Of name, description and schemas: `sha256:` of the canonical JSON; not of what every server has for itself. */
  readonly fingerprint?: string;
  /** What a reader should know before following its words. */
  readonly flags?: readonly string[];
  readonly input_schema?: JsonSchema;
  readonly output_schema?: JsonSchema;
}

/**
 * An empty query browses. A record that has the whole query, as it stands, somewhere in its texts is always found; so is
 * one that has a word of it, apart from words that say nothing (the, of, one letter) beside others that do. Letter case,
 * accents and the width of blanks do not count. Limits: the first 1,000 characters are read, of them the first 24
 * different words, and the first four of those like `x_y` or `c++`; a longer query still finds what has all of it. Of a
 * schema 400 fields, six levels and 100 values of an enum are searched.
 */
export interface SearchInput extends RankedInput {
  /** UUID or unique prefix; what it cannot mean is the instances' error. */
  instance_id?: string;
  loaded_only?: boolean;
}

export type SearchHit = CapabilityRecord & Omit<RankedHit<CapabilityRecord>, 'item'>;

export interface SearchAnswer {
  /** Records that match, before the page is cut. */
  readonly total: number;
  readonly hits: readonly SearchHit[];
  readonly doubt?: Doubt;
}

/** How the index of one instance stands. */
export interface InstanceIndexState {
  readonly instance_id: string;
  readonly tools: number;
  /** Why the last look failed, or what it had to leave out. */
  readonly problem?: string;
}

/** A live instance whose tools no search finds yet. */
export interface UnreadInstance {
  readonly instance: Pick<Instance, 'instance_id' | 'instance_short' | 'dcc_type'>;
  /** Why they could not be read so far; undefined while nothing has gone wrong. */
  readonly problem: string | undefined;
}

export interface CapabilitiesService {
  /** Opaque; changes with the content of the index and with nothing else. */
  readonly generation: string;
  readonly size: number;
  search(input: SearchInput): SearchAnswer;
  /** Throws SVC_CAPABILITIES_SLUG_UNKNOWN (with candidates), _SLUG_AMBIGUOUS, _SLUG_INVALID, or the instances' own. */
  find(slug: string): CapabilityRecord;
  ofInstance(instance_id: string): readonly CapabilityRecord[];
  /** Throws SVC_CAPABILITIES_QUARANTINED for a tool that says something else than what was approved. */
  checkApproved(instance_id: string, backend_tool: string): void;
  /** Whether there is any such tool now. */
  readonly quarantines: boolean;
  state(): readonly InstanceIndexState[];
  /** Live instances that have not been read, or could not be: what they have is missing in every answer. */
  unread(): readonly UnreadInstance[];
  /** Looks at one instance, or all of them, and resolves when the index shows what they have. */
  refresh(instance_id?: string): Promise<void>;
}

declare module 'fastify' {
  interface FastifyInstance {
    capabilities: CapabilitiesService;
  }
}
