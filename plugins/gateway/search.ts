/** POST /v1/search and the MCP tool `search` for tools: hits with what can be done with them next (shape:search). */
import { type Json, text, texts } from '../../schemas/loose.ts';
import { parseSlug } from '../../schemas/slug.ts';
import { cautionFor } from '../../schemas/suspect-text.ts';
import type { Doubt } from '../search/api.ts';
import type { SearchHit, SearchInput, UnreadInstance } from './index/api.ts';
import { isCallable, nextStep, rankerVersion } from './next-step.ts';
import type { Parts } from './parts.ts';
import { createSearchPages, mostHits, type Row } from './search-pages.ts';

const defaultHits = 25;
/** What an agent should ask for, by why its query may not have found what it wants. */
const hints: Readonly<Record<Doubt, string>> = {
  sentence:
    'The query reads like a sentence. If the tool is not among the hits, search again with two to five English words ' +
    'of the trade ("stabilize footage"), other wordings in or_queries.',
  poor:
    'No hit fits well. Search again with other English words of the trade, two to five of them, more wordings in ' +
    'or_queries; fewer words find more.',
};
/** Instances that an answer names because it lacks their tools. */
const namedUnread = 5;
const note = 'No semantic provider is configured: hits are ranked by words.';

export function createSearch(parts: Parts) {
  const { capabilities, instances, kernel } = parts;
  const pages = createSearchPages(parts);

  /** Where a tool of several instances is: their ids, and which scene is open there. */
  const places = (rows: readonly Row[]): Json[] => {
    const shared = rows.flatMap(({ alike = [] }) => (alike.length > 1 ? alike : []));
    const ids = new Map(shared.map(each => [each.instance_id, placeOf(each)]));
    return [...ids].map(([id, instance_short]) => ({ instance_short, scene: instances.get(id)?.row.scene ?? null }));
  };

  /** `compact` has the same tool of several instances in one row. */
  return (body: Json, compact = false): Json => {
    const input = inputOf(body);
    if (input.instance_id !== undefined) input.instance_id = instances.resolve(input.instance_id).instance_id;
    const limit = Math.min(whole(body.limit) || defaultHits, mostHits);
    const search_id = kernel.ids.uuid();
    const index_generation = capabilities.generation;
    const meta = { search_id, ranker_version: rankerVersion, index_generation };
    const { rows, doubt } = pages[compact ? 'alike' : 'each'](input, limit, whole(body.offset));
    const unread = capabilities.unread().filter(each => isAsked(input, each.instance));
    const hint = [unreadHint(unread), doubt && hints[doubt]].filter(Boolean).join(' ');
    const hits = rows.map(({ hit, alike }) => ({
      ...shown(hit),
      next_step: nextStep(hit, meta),
      ...(alike && { instances: alike.map(placeOf) }),
    }));
    return {
      total: hits.length,
      hits,
      ...(hint !== '' && { hint }),
      ...cautionFor(hits as { flags?: unknown }[]),
      ...(unread.length > 0 && { unread_instances: unread.length }),
      ...(compact && { instances: places(rows) }),
      semantic: { active: false, note },
      ...{ index_generation, search_id, ranker_version: rankerVersion },
    };
  };
}

/** What stands for its instance in the slug of a tool. */
const placeOf = ({ tool_slug, instance_id }: SearchHit): string => parseSlug(tool_slug)?.id ?? instance_id;

/** Whether a search that is narrowed as `input` says would find tools of an instance. */
function isAsked(
  { dcc_type, dcc_types = [], instance_id }: SearchInput,
  instance: UnreadInstance['instance'],
): boolean {
  const hosts = [...dcc_types, ...(dcc_type === undefined ? [] : [dcc_type])].map(each => each.toLowerCase());
  return (
    (instance_id === undefined || instance_id === instance.instance_id) &&
    (hosts.length === 0 || hosts.includes(instance.dcc_type.toLowerCase()))
  );
}

/** What an answer lacks: nobody should take it for all that there is. */
function unreadHint(unread: readonly UnreadInstance[]): string | undefined {
  if (unread.length === 0) return undefined;
  const named = (some: readonly UnreadInstance[]): string =>
    some
      .slice(0, namedUnread)
      .map(({ instance }) => `${instance.dcc_type}.${instance.instance_short}`)
      .join(', ') + (some.length > namedUnread ? ` and ${some.length - namedUnread} more` : '');
  const failing = unread.filter(each => each.problem !== undefined);
  const waiting = unread.filter(each => each.problem === undefined);
  return [
    waiting.length > 0 && `The tools of ${named(waiting)} are still being read: search again in a second.`,
    failing.length > 0 && `The tools of ${named(failing)} cannot be read: ${failing[0]?.problem?.slice(0, 200)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** A hit as clients see it: the record without its schemas, and whether it can be called. */
export function shown(hit: SearchHit): Json {
  const {
    input_schema,
    output_schema,
    description,
    aliases,
    search_hint,
    group_active,
    summary,
    rank,
    score,
    match_reasons,
    ...rest
  } = hit;
  return {
    ...rest,
    summary: summary.length > 160 ? `${summary.slice(0, 159)}…` : summary,
    ...{ rank, score, match_reasons },
    callable: isCallable(hit),
    load_state: hit.loaded ? 'loaded' : 'unloaded',
    ...(hit.loaded && !group_active && { disabled_by_group: hit.tool_group ?? true }),
  };
}

/** What is usable of a body; the rest is ignored. */
function inputOf(body: Json): SearchInput {
  const input: SearchInput = { query: text(body.query) ?? '' };
  const dcc = text(body.dcc_type) ?? text(body.dcc);
  if (dcc !== undefined) input.dcc_type = dcc;
  for (const key of ['dcc_types', 'tags', 'tags_any', 'exclude_tags', 'or_queries'] as const) {
    const list = texts(body[key]);
    if (list.length > 0) input[key] = list;
  }
  for (const key of ['instance_id', 'scene_hint', 'skill_hint'] as const) {
    const value = text(body[key]);
    if (value !== undefined) input[key] = value;
  }
  if (body.loaded_only === true) input.loaded_only = true;
  if (typeof body.min_score === 'number') input.min_score = body.min_score;
  if (body.mode === 'exact') input.mode = 'exact';
  return input;
}

const whole = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
