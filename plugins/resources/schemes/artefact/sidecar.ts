/** Sidecars: what is known of an artefact beside its bytes. */
import { hash } from 'node:crypto';
import type { ArtefactInfo, FileRef } from './api.ts';
import { artefactErrors } from './errors.ts';

export const artefactPrefix = 'artefact://sha256/';
const texts = [
  'mime',
  'display_name',
  'producer_job_id',
  'tool_call_id',
  'session_id',
  'correlation_id',
  'expires_at',
] as const;
const mostText = 1024;
const mostMetadata = 65_536;

/** The digits of an artefact URI; throws SVC_ARTEFACT_BAD_URI. */
export function hexOf(uri: string): string {
  const hex = uri.startsWith(artefactPrefix) ? uri.slice(artefactPrefix.length) : '';
  if (!/^[0-9a-f]{64}$/.test(hex)) throw artefactErrors.BAD_URI({ uri });
  return hex;
}

/** The known members of what a producer says; throws SVC_ARTEFACT_BAD_INFO. */
export function infoOf(given: ArtefactInfo): ArtefactInfo {
  const info: ArtefactInfo = {};
  const foreign = Object.keys(given).filter(
    name => name !== 'metadata' && !(texts as readonly string[]).includes(name),
  );
  if (foreign.length > 0) {
    const reason = `"${foreign.join('", "')}" is not known: use ${texts.join(', ')} or metadata`;
    throw artefactErrors.BAD_INFO({ reason });
  }
  for (const name of texts) {
    const value: unknown = given[name];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string' || value.length > mostText) {
      throw artefactErrors.BAD_INFO({ reason: `"${name}" must be a text of at most ${mostText} characters` });
    }
    info[name] = value;
  }
  if (info.expires_at !== undefined && Number.isNaN(Date.parse(info.expires_at))) {
    throw artefactErrors.BAD_INFO({ reason: '"expires_at" must be a time such as 2030-01-31T12:00:00Z' });
  }
  if (given.metadata !== undefined) info.metadata = metadataOf(given.metadata);
  return info;
}

function metadataOf(value: unknown): unknown {
  let text: string | undefined;
  try {
    text = JSON.stringify(value) as string | undefined;
  } catch {
    text = undefined;
  }
  if (text === undefined || text.length > mostMetadata) {
    throw artefactErrors.BAD_INFO({ reason: `"metadata" must be JSON of at most ${mostMetadata} characters` });
  }
  return JSON.parse(text);
}

/** A sidecar as it lies on disk; undefined for one that is torn or not ours. */
export function readSidecar(text: string, hex: string): FileRef | undefined {
  try {
    const ref = JSON.parse(text) as FileRef | null;
    const ours =
      ref?.uri === artefactPrefix + hex && typeof ref.size_bytes === 'number' && typeof ref.created_at === 'string';
    return ours ? ref : undefined;
  } catch {
    return undefined;
  }
}

/** Names a further sidecar of the same bytes: the same description again gets the same name. */
export function sidecarKey(info: ArtefactInfo): string {
  return hash('sha256', JSON.stringify(info)).slice(0, 16);
}

export const isLive = ({ expires_at }: FileRef, now: number): boolean =>
  expires_at === undefined || !(Date.parse(expires_at) <= now);
