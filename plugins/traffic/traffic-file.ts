/** The capture file as people write it: read whole or refused, with the line and the key of what is wrong. */
import { type JsonSchema, messageOf, type Schemas } from '../../kernel/index.ts';
import { pathOf, readYaml, type YamlFile } from '../../schemas/yaml-document.ts';
import { trafficErrors } from './errors.ts';
import { type SinkEntry, type TrafficFile, TrafficFileSchema } from './file-schema.ts';
import { type Filters, filterOf, type Replacement, replacementOf } from './rules.ts';

/** How calls are captured, wherever the frames go. */
export interface CaptureSettings {
  readonly filters: Filters;
  readonly replacements: readonly Replacement[];
  readonly capacity: number;
  readonly maxBodyBytes: number;
}

export interface CapturePlan extends CaptureSettings {
  readonly enabled: boolean;
  readonly sinks: readonly SinkEntry[];
}

type Path = readonly (string | number)[];

/** Throws SVC_TRAFFIC_CONFIG_INVALID that names line and key; an empty text is the defaults. */
export function readTrafficFile(
  text: string,
  schemas: Pick<Schemas, 'compileWithDefaults'>,
  source = 'the defaults',
): CapturePlan {
  try {
    return read(text, schemas);
  } catch (error) {
    throw trafficErrors.CONFIG_INVALID({ source, reason: messageOf(error) }, error);
  }
}

function read(text: string, schemas: Pick<Schemas, 'compileWithDefaults'>): CapturePlan {
  const file = readYaml(text);
  const value = (file.value ?? {}) as TrafficFile;
  const [problem] = schemas.compileWithDefaults(TrafficFileSchema as unknown as JsonSchema)(value) ?? [];
  if (problem) throw at(file, pathOf(problem.field), problem.message);
  const { enabled, sinks, filters, redact, queue_capacity, max_body_bytes } = value;
  sinks.forEach((sink, index) => {
    const wrong = problemOf(sink, sinks.slice(0, index));
    if (wrong) throw at(file, ['sinks', index, ...wrong.key], `"sinks.${index}" ${wrong.message}`);
  });
  const each = <T, R>(path: Path, rules: readonly T[], make: (rule: T) => R): R[] =>
    rules.map((rule, index) => {
      try {
        return make(rule);
      } catch (error) {
        throw at(file, [...path, index], `"${[...path, index].join('.')}": ${messageOf(error)}`);
      }
    });
  return {
    enabled,
    sinks,
    filters: {
      include: each(['filters', 'include'], filters.include, filterOf),
      exclude: each(['filters', 'exclude'], filters.exclude, filterOf),
    },
    replacements: each(['redact'], redact, replacementOf),
    capacity: queue_capacity,
    maxBodyBytes: max_body_bytes,
  };
}

function problemOf(
  { kind, path, ring_buffer, max_bytes }: SinkEntry,
  before: readonly SinkEntry[],
): { key: string[]; message: string } | undefined {
  const live = kind === 'admin_live';
  if (!live && path === undefined) return { key: [], message: `of kind ${kind} needs a "path"` };
  if (live && path !== undefined)
    return { key: ['path'], message: 'of kind admin_live has no "path": it is in memory' };
  if (!live && ring_buffer !== undefined)
    return { key: ['ring_buffer'], message: `of kind ${kind} has no "ring_buffer"` };
  if (kind !== 'jsonl' && max_bytes !== undefined)
    return { key: ['max_bytes'], message: `of kind ${kind} has no "max_bytes"` };
  if (before.some(each => each.kind === kind && each.path === path)) return { key: [], message: 'is there twice' };
  return undefined;
}

const at = (file: YamlFile, path: Path, message: string): Error => new Error(`line ${file.lineOf(path)}: ${message}`);
