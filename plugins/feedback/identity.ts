/** Who reports: what the settings say, and above that what the host says now. */
import { packageVersion } from '../../kernel/index.ts';
import type { FindingContext } from '../../schemas/finding.ts';
import { adapterOf, unknownContext } from '../../schemas/finding-rules.ts';
import { isObject, text } from '../../schemas/loose.ts';
import type { Identity } from './report-tool.ts';
import type { ProvidedIdentity } from './wire.ts';

/** The settings that say who this is; any of them may be missing. */
export interface IdentitySettings {
  server_name?: unknown;
  dcc_type?: unknown;
  dcc_version?: unknown;
  adapter_version?: unknown;
}

/** The name of a server that was given none. */
const unnamed = 'svc';

/** `dcc_type` unless the settings have one. */
export function settledContext(settings: IdentitySettings, dcc_type?: string): FindingContext {
  const type = dcc_type ?? text(settings.dcc_type) ?? 'python';
  const name = text(settings.server_name);
  return {
    ...unknownContext(type),
    adapter: name === undefined || name === unnamed ? adapterOf(type) : name,
    adapter_version: text(settings.adapter_version) ?? 'unknown',
    core_version: packageVersion,
    host_version: text(settings.dcc_version) ?? 'unknown',
  };
}

const missing = (error: Extract<Identity, { error: string }>['error'], message: string): Identity => ({
  error,
  message,
});

/** What the host gave, over `settled`; it may not be of another type. */
export function identityOf(
  settled: FindingContext,
  { context, instance_id }: ProvidedIdentity,
  own?: string,
): Identity {
  const noContext = (why: string) => missing('feedback_context_unavailable', `who reports is not known: ${why}`);
  if (context && 'problem' in context) return noContext(context.problem);
  const said = context?.value ?? {};
  if (!isObject(said)) return noContext('the finding context is no object');
  const strange = Object.keys(said).find(each => !Object.hasOwn(settled, each));
  if (strange !== undefined) return noContext(`"${strange}" is not a known field of the finding context`);
  const type = said.dcc_type ?? settled.dcc_type;
  if (type !== settled.dcc_type) return noContext(`the host says it is "${String(type)}", not "${settled.dcc_type}"`);
  const blank = Object.entries(said).find(([, value]) => value !== undefined && !text(value)?.trim());
  if (blank) return noContext(`"${blank[0]}" of the finding context is no text`);

  const noInstance = (why: string) => missing('feedback_instance_unavailable', `the instance is not known: ${why}`);
  if (instance_id && 'problem' in instance_id) return noInstance(instance_id.problem);
  const id = instance_id ? text(instance_id.value)?.trim() : own;
  if (!id) return noInstance(instance_id ? 'the host gave no id' : 'it is not registered');
  return { context: { ...settled, ...(said as Partial<FindingContext>) }, instance_id: id };
}
