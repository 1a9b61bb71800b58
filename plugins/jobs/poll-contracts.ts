/** How each type of job is polled, as launching tools declared it or the adapter registered it (shape:poll). */
import type { Disposer } from '../../kernel/index.ts';
import type { ToolRecord, ToolText } from '../tools/api.ts';
import type { PollContract } from './api.ts';
import { jobErrors } from './errors.ts';
import { extensionsOf, outputTarget } from './output-target.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface PollDescriptor {
  owner: 'core' | 'adapter';
  tool: string;
  argument_field: string;
  value: unknown;
}

/** Where a result may carry its descriptor. */
const descriptorKeys = ['poll', 'adapter_poll', 'core_poll'] as const;
const maxTypes = 1000;

/** The poll descriptor in a result's structured content; one with any other number of argument fields than one is none. */
export function pollDescriptor(structured: unknown): PollDescriptor | undefined {
  if (typeof structured !== 'object' || structured === null) return undefined;
  const { context, result } = structured as Fields;
  return descriptorIn(structured) ?? descriptorIn(context) ?? descriptorIn(result);
}

function descriptorIn(holder: unknown): PollDescriptor | undefined {
  if (typeof holder !== 'object' || holder === null) return undefined;
  for (const key of descriptorKeys) {
    const value = (holder as Fields)[key];
    const found = value === undefined ? undefined : descriptorOf(value);
    if (found) return found;
  }
  return undefined;
}

function descriptorOf(value: unknown): PollDescriptor | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { owner, tool, arguments: args } = value as Fields;
  if (owner !== 'core' && owner !== 'adapter') return undefined;
  if (typeof tool !== 'string' || tool.trim() === '') return undefined;
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return undefined;
  const [field, ...more] = Object.entries(args);
  if (field === undefined || more.length > 0) return undefined;
  return { owner, tool: tool.trim(), argument_field: field[0], value: field[1] };
}

/** What a tool returned, as its structured content will be; the text of a worker is read only when it may hold a descriptor. */
function structuredOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  let plain = value as Fields;
  if (plain.svcToolText === true) {
    const { json } = value as ToolText;
    if (!json.startsWith('{') || !json.includes('poll":{')) return undefined;
    plain = JSON.parse(json) as Fields;
  }
  return Array.isArray(plain.content) ? plain.structuredContent : plain;
}

export type PollContracts = ReturnType<typeof createPollContracts>;

export function createPollContracts() {
  const contracts = new Map<string, PollContract>();

  const register = (jobType: string, contract: PollContract): Disposer => {
    const name = jobType.trim();
    if (name === '') throw jobErrors.POLL_INVALID({ reason: 'the job type must not be blank' });
    if (contract.tool.trim() === '') throw jobErrors.POLL_INVALID({ reason: `"${name}" names no tool to poll with` });
    contracts.delete(name);
    contracts.set(name, contract);
    if (contracts.size > maxTypes) contracts.delete(contracts.keys().next().value as string);
    return () => {
      if (contracts.get(name) === contract) contracts.delete(name);
    };
  };

  const shown = (jobType: string, { owner, tool, argument_field, output }: PollContract): Fields => ({
    registered: true,
    job_type: jobType,
    poll: { owner, tool, argument_field: argument_field?.trim() || 'job_id' },
    ...(output && { output: { dir: output.dir, extensions: [...output.extensions] } }),
  });

  return {
    /** Throws SVC_JOBS_POLL_INVALID; the disposer removes this registration only. */
    register: (jobType: string, contract: PollContract): Disposer => {
      const { output } = contract;
      const kept = output && { output: { dir: output.dir, extensions: extensionsOf(output.extensions) } };
      return register(jobType, { ...contract, ...kept });
    },
    /** Learns from what a launching tool returned; ignores a value without a usable descriptor. Never throws. */
    learn({ name: tool, source }: ToolRecord, value: unknown): void {
      if (source !== 'host' && source !== 'skill') return;
      const structured = structuredOf(value);
      const found = pollDescriptor(structured);
      if (!found) return;
      const output = outputTarget(structured);
      const { owner, tool: poll, argument_field } = found;
      register(tool, { owner, tool: poll, argument_field, ...(output && { output }) });
    },
    answer(jobType: string | undefined): Fields {
      if (jobType === undefined) {
        const types = [...contracts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => shown(name, each));
        return { job_types: types, total: types.length };
      }
      const name = jobType.trim();
      const known = contracts.get(name);
      if (known) return shown(name, known);
      const reason = name === '' ? 'job_type_missing' : 'job_type_not_registered';
      const hint =
        'A job type is the name of its launching tool. Run that tool first, or omit job_type to list what is registered; core jobs are polled with jobs_get_status and their job_id.';
      return { registered: false, job_type: name, reason, hint };
    },
  };
}
