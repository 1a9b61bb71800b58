/** Whether a gateway gives way to a challenger: only to one that goes before it (shape:election). */

import { objectOf, text } from '../../../schemas/loose.ts';
import { compareVersions } from '../../../schemas/version.ts';

/** Who serves a gateway, or would. */
export interface Candidate {
  /** Of this product. */
  version: string;
  /** The server beside which it is served; none beside a daemon of its own, which gives way to a newer version only. */
  server?: { adapter_version: string | null; dcc_type: string | null };
}

export interface YieldAnswer {
  status: 200 | 400 | 409;
  body: Record<string, unknown>;
}

/** Answers `POST /gateway/yield`. */
export function answerChallenge(body: unknown, own: Candidate): YieldAnswer {
  const given = objectOf(body);
  const { challenger_version: challenger } = given;
  if (typeof challenger !== 'string' || !/^\d+(\.\d+){0,3}/.test(challenger)) {
    const message = 'challenger_version must be a version such as "1.2.3"';
    return { status: 400, body: { ok: false, kind: 'bad-request', message } };
  }
  const server = {
    adapter_version: text(given.challenger_adapter_version) ?? null,
    dcc_type: text(given.challenger_dcc_type) ?? null,
  };
  if (compareCandidates({ version: challenger, server }, own) > 0) {
    const message = `version ${own.version} gives way to ${challenger}`;
    return { status: 200, body: { ok: true, handoff: true, message } };
  }
  return refusal(`version ${challenger} does not go before ${own.version}: this gateway stays`);
}

/** This gateway stays. */
export const refusal = (message: string): YieldAnswer => ({
  status: 409,
  body: { ok: false, handoff: false, capability: 'cooperative_yield', fallback: 'polling', message },
});

/** Positive when `a` goes first: by version, then by that of the adapter (none is lowest), then a real host before none. */
export function compareCandidates(a: Candidate, b: Candidate): number {
  const byVersion = compareVersions(a.version, b.version);
  if (byVersion !== 0 || !a.server || !b.server) return byVersion;
  return (
    compareVersions(a.server.adapter_version ?? '', b.server.adapter_version ?? '') ||
    Number(isHost(a.server.dcc_type)) - Number(isHost(b.server.dcc_type))
  );
}

const isHost = (dcc_type: string | null): boolean => dcc_type !== null && !['', 'unknown'].includes(dcc_type);
