/**
 * How quick the page is, and what it costs: first paint; its main thread with 200 instances and 1,000 calls a second on
 * the stream; the gateway's processor time for each call with a page open and without.
 */
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { load } from '../bench/load.ts';
import { builtFile, startPeer } from '../bench/peer.ts';
import type { Studio } from './studio.ts';

export interface Figure {
  name: string;
  measure(browser: Browser, studio: Studio): Promise<{ problems: string[]; note: string }>;
}

const mostPaintMs = 1000;
const mostBusy = 0.3;
const mostCost = 0.05;
const instances = 200;
const callsPerSecond = 1000;
const seconds = 8;
const manyRows = 10_000;
/** Rows that exist at once: those in sight, and some to spare. */
const mostThere = 80;

const limited = (value: number, most: number, note: string) => ({
  problems: value > most ? [`the limit is ${most}`] : [],
  note,
});

export const figures: readonly Figure[] = [
  {
    name: 'first paint of the overview',
    async measure(browser, studio) {
      const times: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        const context = await browser.newContext();
        const page = await context.newPage();
        await page.goto(studio.admin);
        await page.getByText('Calls a second').first().waitFor();
        times.push(
          await page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 1e9"),
        );
        await context.close();
      }
      const best = Math.round(Math.min(...times));
      return limited(best, mostPaintMs, `${best} ms`);
    },
  },
  {
    name: `main thread with ${instances} instances and ${callsPerSecond} calls a second`,
    async measure(browser, studio) {
      const count = instances - studio.hosts.length;
      const many = await startPeer('many', { entry: builtFile('index.js'), registry_dir: studio.directory, count });
      try {
        const shares: string[] = [];
        let most = 0;
        for (const panel of ['overview', 'instances', 'calls']) {
          const page = await browser.newPage();
          await page.goto(`${studio.admin}?panel=${panel}`);
          await page.getByText('Live').waitFor();
          const [share, rate] = await Promise.all([busyShare(page), callsIn(studio, callsPerSecond)]);
          shares.push(`${panel} ${Math.round(share * 100)} % at ${Math.round(rate)} calls/s`);
          most = Math.max(most, share);
          await page.close();
        }
        return limited(most, mostBusy, shares.join(', '));
      } finally {
        await many.stop();
      }
    },
  },
  {
    name: `${manyRows} rows of calls are scrolled`,
    async measure(browser, studio) {
      const page = await browser.newPage();
      await page.goto(`${studio.admin}?panel=calls`);
      const grid = page.getByRole('grid', { name: 'Calls' });
      const known = async (): Promise<number> => Number(await grid.getAttribute('aria-rowcount'));
      await grid.waitFor();
      while ((await known()) <= manyRows) {
        // Whatever is missing is made.
        if (!(await readOn(page, known))) await callsIn(studio);
      }
      await page.evaluate(`globalThis.frames = []; (function next(before) {
        requestAnimationFrame(now => { frames.push(now - before); next(now); });
      })(performance.now())`);
      await grid.hover();
      for (let step = 0; step < 60; step += 1) await page.mouse.wheel(0, -2500);
      const frames = await page.evaluate<number[]>('frames.sort((a, b) => a - b)');
      const there = await grid.getByRole('row').count();
      await page.close();
      const median = Math.round(frames[Math.floor(frames.length / 2)] ?? 0);
      return limited(there, mostThere, `${there} of them exist at once, a frame takes ${median} ms`);
    },
  },
  {
    name: 'what the stream costs the gateway for its calls',
    async measure(browser, studio) {
      const health = await fetch(`${studio.admin}/api/health`).then(answer => answer.json());
      const pid = (health as { gateway: { current: { pid: number } } }).gateway.current.pid;
      const perCall = async (): Promise<number> => {
        const before = await cpuOf(pid);
        const rate = await callsIn(studio);
        return ((await cpuOf(pid)) - before) / rate;
      };
      const [without, within]: [number[], number[]] = [[], []];
      for (let round = 0; round < 4; round += 1) {
        without.push(await perCall());
        const page = await browser.newPage();
        await page.goto(studio.admin);
        await page.getByText('Live').waitFor();
        // What a page reads when it is opened is not the stream.
        await page.waitForLoadState('load');
        await page.waitForTimeout(2000);
        within.push(await perCall());
        await page.close();
      }
      const cost = Math.min(...within) / Math.min(...without) - 1;
      // On a machine with other work, rounds without a page differ from each other by more.
      const noise = Math.max(...without) / Math.min(...without) - 1;
      const note = `${(cost * 100).toFixed(1)} % of its processor time; without it, rounds differ by ${(noise * 100).toFixed(1)} %`;
      return limited(cost, Math.max(mostCost, noise), note);
    },
  },
];

/** Reads the next page of the list; false when there is none. */
async function readOn(page: Page, known: () => Promise<number>): Promise<boolean> {
  const before = await known();
  await page.getByRole('row').nth(1).focus();
  await page.keyboard.press('End');
  for (let look = 0; look < 40; look += 1) {
    await page.waitForTimeout(100);
    if ((await known()) > before) return true;
  }
  return false;
}

/** Part of the time that the page's main thread works. */
async function busyShare(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const busy = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(each => each.name === 'TaskDuration')?.value ?? Number.POSITIVE_INFINITY;
  };
  await page.waitForTimeout(1000);
  const [before, began] = [await busy(), performance.now()];
  await page.waitForTimeout((seconds - 2) * 1000);
  return ((await busy()) - before) / ((performance.now() - began) / 1000);
}

/** Calls for some seconds, as many as come back without a pace; resolves with how many a second there were. */
async function callsIn({ admin, hosts }: Studio, pace?: number): Promise<number> {
  const [host] = hosts;
  const body = JSON.stringify({
    tool_slug: `${host?.dcc}.${host?.short}.count_frames`,
    arguments: { first: 1, last: 9 },
  });
  const url = new URL('/v1/call', admin).href;
  const result = await load({ url, bodies: () => [body], connections: 8, seconds, ...(pace && { pace }) });
  if (result.failures > 0) throw new Error(`${result.failures} calls failed`);
  return result.requestsPerSecond;
}

/** Ticks of the processor that a process has had. */
async function cpuOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
