/** Every panel in light and dark, wide and narrow: a screenshot of each, and a look by axe. */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { accessibility, listenTo } from './judge.ts';
import type { Studio } from './studio.ts';

/** Panels with something in them, and states that a person meets; each by its address and what must be in sight. */
const views: readonly (readonly [name: string, address: (studio: Studio) => string, sight: string])[] = [
  ['overview', () => '', 'Calls a second'],
  ['instances', () => '?panel=instances', 'layout_v012.ma'],
  ['instance', ({ hosts }) => `?panel=instances&instance=${hosts[0]?.id}`, 'Last heartbeat'],
  ['calls', () => '?panel=calls', 'count_frames'],
  ['call', () => '?panel=calls&call=failing-call', 'Where the time went'],
  ['calls-none', () => '?panel=calls&q=nothing-is-called-so', 'No call is like that'],
  ['call-unknown', () => '?panel=calls&call=nobody', 'That did not work'],
  ['traces', () => '?panel=traces', 'count_frames'],
  ['traffic', () => '?panel=traffic', 'tools/call'],
  ['jobs', () => '?panel=jobs', 'render_frames'],
  ['events', () => '?panel=events', 'serves the gateway'],
  ['logs', () => '?panel=logs', 'webhook'],
  ['tools', () => '?panel=tools', 'render_frames'],
  ['tool', ({ hosts }) => `?panel=tools&tool=maya.${hosts[0]?.short}.count_frames`, 'Try it'],
  ['skills', () => '?panel=tools&tab=skills', 'scene-audit'],
  ['refused', () => '?panel=tools&tab=refused', 'colour'],
  ['feedback', () => '?panel=feedback', 'save_scene'],
  ['finding', ({ findingId }) => `?panel=feedback&finding=${findingId}`, 'svc-cli feedback route'],
  ['integrations', () => '?panel=integrations', 'pipeline'],
  ['webhook', () => '?panel=integrations&edit=pipeline', '[kept] stays'],
  ['connect', () => '?panel=connect', 'claude mcp add'],
];

const sizes = { wide: { width: 1400, height: 860 }, narrow: { width: 390, height: 800 } } as const;

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
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' });
      const told = listenTo(page, new URL(studio.admin).origin);
      for (const [view, address, sight] of views) {
        const name = `${view} ${size} ${colorScheme}`;
        if (!chosen(name)) continue;
        const problems = await look(page, `${studio.admin}${address(studio)}`, sight).catch(error => [String(error)]);
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
  const sideways = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
  return [...(await accessibility(page)), ...(sideways ? ['the page is wider than the window'] : [])];
}
