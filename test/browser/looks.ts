/**
 * Every panel in light and dark, wide and narrow, and as at 200 %: a screenshot of each, and a look by axe. Then what each
 * shows while it is loading, while the gateway is away, and of a gateway where nothing has happened yet.
 */
import { join } from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';
import { startGateway } from '../processes.ts';
import { accessibility, listenTo } from './judge.ts';
import { panels } from './panels.ts';
import type { Studio } from './studio.ts';

const sizes = {
  wide: { viewport: { width: 1440, height: 900 }, schemes: ['light', 'dark'] },
  narrow: { viewport: { width: 390, height: 800 }, schemes: ['light', 'dark'] },
  slim: { viewport: { width: 320, height: 640 }, schemes: ['light'] },
  // A window of 1440 by 900 at 200 %.
  zoomed: { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2, schemes: ['light'] },
} as const;

export interface Look {
  name: string;
  problems: string[];
}

export async function lookAtAll(
  browser: Browser,
  studio: Studio,
  shots: string,
  chosen: (name: string) => boolean,
): Promise<Look[]> {
  const looks: Look[] = [];
  for (const [size, { schemes, ...shape }] of Object.entries(sizes)) {
    for (const colorScheme of schemes) {
      const page = await browser.newPage({ ...shape, colorScheme, reducedMotion: 'reduce' });
      const told = listenTo(page, new URL(studio.admin).origin);
      for (const { name: view, address, sight } of panels(studio)) {
        const name = `${view} ${size} ${colorScheme}`;
        if (!chosen(name)) continue;
        const problems = await look(page, `${studio.admin}${address}`, sight).catch(error => [String(error)]);
        await page.screenshot({ path: join(shots, `${name.replaceAll(' ', '-')}.png`) });
        const heard = told().filter(each => view !== 'call-unknown' || !each.includes('404'));
        looks.push({ name, problems: [...problems, ...heard] });
      }
      await page.close();
    }
  }
  return looks;
}

async function look(page: Page, url: string, sight: string): Promise<string[]> {
  await page.goto(url);
  await page.getByText(sight).first().waitFor({ timeout: 10_000 });
  // What is still on its way, such as the charts.
  await page.waitForTimeout(150);
  return [...(await accessibility(page)), ...(await page.evaluate<string[]>(faults))];
}

/** What sticks out of the window or of its box, and what moves for who asked that nothing should. */
const faults = `[
  ...(document.documentElement.scrollWidth > innerWidth ? ['the page is wider than the window'] : []),
  ...[...document.querySelectorAll('.body, .drawer-body, .bar, .side, .table')]
    .filter(each => each.scrollWidth > each.clientWidth)
    .map(each => each.className + ' is wider than its place'),
  ...(document.getAnimations().length > 0 ? ['something moves'] : []),
]`;

/** Panels by name, with the words of a gateway where nothing has happened yet. */
const idle = {
  ...{ overview: 'No call has failed', instances: 'No instance has registered', calls: 'No call has come through' },
  ...{ traces: 'No trace is like that', traffic: 'Traffic is not captured', jobs: 'No job has run' },
  ...{ events: 'serves the gateway', logs: 'The gateway has logged nothing', tools: 'No instance has a tool' },
  ...{ 'tools&tab=skills': 'No instance has a skill', 'tools&tab=refused': 'No package was refused' },
  ...{ feedback: 'Nothing was reported', integrations: 'Nobody is told of anything yet', connect: 'claude mcp add' },
};

const away = 'The gateway does not answer';
const states = {
  empty: { words: idle, answer: undefined },
  loading: { words: 'Loading', answer: () => undefined },
  failed: { words: away, answer: (route: Route) => void route.abort() },
} as const;

/** What a panel shows that has nothing to show. */
export async function lookAtStates(
  browser: Browser,
  shots: string,
  chosen: (name: string) => boolean,
): Promise<Look[]> {
  const looks: Look[] = [];
  const names = Object.keys(states).flatMap(state => Object.keys(idle).map(panel => `${panel} ${state}`));
  if (!names.some(chosen)) return looks;
  const processes = await startGateway('svc-browser-', directory => ({
    ...{ SVC_ETC_DIR: directory, SVC_GATEWAY_PERSIST: 'true' },
  }));
  const admin = `http://127.0.0.1:${processes.gatewayPort}/admin`;
  try {
    for (const [state, { words, answer }] of Object.entries(states)) {
      const page = await browser.newPage({ viewport: { width: 1000, height: 600 }, reducedMotion: 'reduce' });
      if (answer) await page.route(/\/(admin\/api|v1)\//, answer);
      const told = listenTo(page, new URL(admin).origin);
      for (const [panel, told_] of Object.entries(idle)) {
        const name = `${panel} ${state}`;
        if (!chosen(name)) continue;
        // Needs nothing of the gateway.
        const sight = panel === 'connect' ? idle.connect : words === idle ? told_ : String(words);
        const problems = await look(page, `${admin}?panel=${panel}`, sight).catch(error => [String(error)]);
        await page.screenshot({ path: join(shots, `${name.replaceAll(/\W+/g, '-')}.png`) });
        const heard = told().filter(each => state !== 'failed' || !each.includes('ERR_FAILED'));
        looks.push({ name, problems: [...problems, ...heard] });
      }
      await page.close();
    }
  } finally {
    await processes.stop();
  }
  return looks;
}
