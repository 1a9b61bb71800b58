/** Whether a gateway gives way to a challenger: only to a newer version. */

export interface YieldAnswer {
  status: 200 | 400 | 409;
  body: Record<string, unknown>;
}

/** Answers `POST /gateway/yield`. */
export function answerChallenge(body: unknown, own: string): YieldAnswer {
  const given = typeof body === 'object' && body !== null ? body : {};
  const { challenger_version: challenger } = given as { challenger_version?: unknown };
  if (typeof challenger !== 'string' || !/^\d+(\.\d+){0,3}/.test(challenger)) {
    const message = 'challenger_version must be a version such as "1.2.3"';
    return { status: 400, body: { ok: false, kind: 'bad-request', message } };
  }
  if (compareVersions(challenger, own) > 0) {
    const message = `version ${own} gives way to ${challenger}`;
    return { status: 200, body: { ok: true, handoff: true, message } };
  }
  const message = `version ${challenger} is not newer than ${own}: this gateway stays`;
  const body409 = { ok: false, handoff: false, capability: 'cooperative_yield', fallback: 'polling', message };
  return { status: 409, body: body409 };
}

/** Positive when `a` is newer; a pre-release is older than its release. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map(parts);
  for (let index = 0; index < 4; index += 1) {
    const difference = (left?.numbers[index] ?? 0) - (right?.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return (
    Number(right?.pre !== '') - Number(left?.pre !== '') || (left?.pre ?? '').localeCompare(right?.pre ?? '', 'en')
  );
}

function parts(version: string): { numbers: number[]; pre: string } {
  const [, core = '', pre = ''] = /^([\d.]+)(?:-([^+]+))?/.exec(version) ?? [];
  return { numbers: core.split('.').map(Number), pre };
}
