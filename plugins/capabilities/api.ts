/** What other plugins may use of the index of tools behind the gateway. */
import type { Disposer } from '../../kernel/index.ts';

export interface CapabilityRecord {
  tool_slug: string;
  backend_tool: string;
  callable_id: string;
  skill_name: string | null;
  summary: string;
  description: string;
  tags: string[];
  aliases: string[];
  dcc_type: string;
  instance_id: string;
  has_schema: boolean;
  loaded: boolean;
  group_active: boolean;
  tool_group?: string;
  annotations?: Record<string, unknown>;
  metadata?: Record<string, unknown>;
  available_groups?: unknown[];
  discovery_only?: boolean;
  input_schema?: Record<string, unknown>;
  output_schema?: Record<string, unknown>;
}

export interface SearchInput {
  query?: string;
  dcc_type?: string;
  dcc_types?: string[];
  instance_id?: string;
  tags?: string[];
  tags_any?: string[];
  exclude_tags?: string[];
  loaded_only?: boolean;
  scene_hint?: string;
  skill_hint?: string;
  min_score?: number;
  or_queries?: string[];
  limit?: number;
  offset?: number;
  mode?: string;
}

export type SearchHit = CapabilityRecord & { rank: number; score: number; match_reasons: string[] };

export interface CapabilitiesService {
  readonly generation: string;
  search(input: SearchInput): { total: number; hits: SearchHit[] };
  find(slug: string): CapabilityRecord;
  ofInstance(instance_id: string): readonly CapabilityRecord[];
  refresh(instance_id?: string): Promise<void>;
  onChange(listener: () => void): Disposer;
}

declare module 'fastify' {
  interface FastifyInstance {
    capabilities: CapabilitiesService;
  }
}
