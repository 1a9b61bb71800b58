/** How quick the page is, and what it costs: first paint, and its main thread under a stream of many calls. */
import type { Browser, Page } from 'playwright-core';
import type { Studio } from './studio.ts';

export interface Figure {
  name: string;
  measure(browser: Browser, studio: Studio): Promise<{ problems: string[]; note: string }>;
}

const mostPaintMs = 1000;

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
        times.push(await firstPaint(page));
        await context.close();
      }
      const best = Math.round(Math.min(...times));
      const problems = best > mostPaintMs ? [`it took ${best} ms, and may take ${mostPaintMs}`] : [];
      return { problems, note: `${best} ms` };
    },
  },
];

const firstPaint = (page: Page): Promise<number> =>
  page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.POSITIVE_INFINITY);
