/** Probes one instance again and again, and at once when something has gone wrong with it. */
import type { Finding } from './driver.ts';
import type { Probe } from './probe.ts';

/** How often each is asked, and how many of a crowd in a second: a thousand are asked every ten seconds. */
const [leastMs, eachMs] = [5000, 10];
const deadlineMs = 5000;
/** Those that are due within this are asked in one turn: for each of them alone the process would wake up from its rest. */
const turnMs = 250;
/**
 * After a first failure, and at least between probes that calls ask for; then half as long again each time, so that what
 * was restarted is called soon after it is back.
 */
const soonMs = 1000;
/** Silences in a row before an instance counts as unreachable: its host may just be blocked. */
const silences = 2;

/** Spread, so that many instances are not asked all at once. */
function pauseMs(crowd: number): number {
  const now = performance.now();
  const due = now + Math.max(leastMs, eachMs * crowd) * (0.9 + Math.random() * 0.2);
  return Math.round(due / turnMs) * turnMs - now;
}

export type Prober = ReturnType<typeof createProber>;

/** `onFinding` is told of everything but a first silence; `crowd` says how many instances there are to probe. */
export function createProber(probe: Probe, crowd: () => number, onFinding: (finding: Finding) => void) {
  let timer: NodeJS.Timeout | undefined;
  let probing = false;
  let stopped = false;
  let silent = 0;
  let ended = 0;

  const run = async (): Promise<void> => {
    if (probing || stopped) return;
    probing = true;
    clearTimeout(timer);
    const finding = await probe(deadlineMs);
    probing = false;
    ended = performance.now();
    if (stopped) return;
    silent = finding.kind === 'reachable' ? 0 : silent + 1;
    if (finding.kind === 'reachable' || finding.certain || silent >= silences) onFinding(finding);
    const regular = pauseMs(crowd());
    timer = setTimeout(
      () => void run(),
      silent === 0 ? regular : Math.min(regular, soonMs * 1.5 ** (silent - 1)),
    ).unref();
  };

  void run();
  return {
    /** Probes at once, unless it is probing or has just found it unreachable. */
    now(): void {
      if (silent === 0 || performance.now() - ended > soonMs) void run();
    },
    stop(): void {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
