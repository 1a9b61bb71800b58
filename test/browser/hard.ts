/** What goes wrong or gets large while somebody looks: hosts that crash, a gateway that starts again, two tabs, keys alone. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Locator, Page, Request } from 'playwright-core';
import { builtFile } from '../bench/peer.ts';
import { startGateway, until } from '../processes.ts';
import { panels } from './panels.ts';
import type { Story } from './stories.ts';
import { manyTools } from './studio.ts';

const see = (locator: Locator) => locator.first().waitFor({ timeout: 15_000 });
const grid = (page: Page, name: string) => page.getByRole('grid', { name });
const drawer = (page: Page) => page.getByRole('complementary');
/** What holds the state of a panel: what is searched and chosen, and what is open. */
const stateOf = (page: Page) =>
  page.evaluate<string>(`JSON.stringify([
    [...document.querySelectorAll('main input[type=search], main .bar select')].map(each => each.value),
    [...document.querySelectorAll('main [aria-pressed=true]')].map(each => each.textContent),
    [...document.querySelectorAll('aside')].map(each => each.getAttribute('aria-label')),
    document.title,
  ])`);
/** Of the element that has the focus: what it is, whether it is in sight and marked. */
const focused = (page: Page) =>
  page.evaluate<{ name: string; seen: boolean; marked: boolean; inMain: boolean }>(`(() => {
    const at = document.activeElement;
    const { top, left, width, height } = at.getBoundingClientRect();
    const shown = getComputedStyle(at);
    return {
      name: at.tagName + ' ' + (at.getAttribute('aria-label') ?? at.textContent ?? '').slice(0, 40),
      seen: width > 0 && height > 0 && top > -1 && left > -1 && top < innerHeight && left < innerWidth,
      marked: shown.outlineStyle !== 'none' && parseFloat(shown.outlineWidth) >= 1,
      inMain: at.closest('main') !== null,
    };
  })()`);

const mostTabs = 60;

export const hardStories: readonly Story[] = [
  {
    name: 'an instance that crashes leaves the list; who asks finds why',
    async tell(page, studio) {
      await page.goto(`${studio.admin}?panel=instances`);
      const { id, stop } = await studio.join('katana');
      await page.getByText('katana').click();
      await see(drawer(page).getByText(id));
      stop('SIGKILL');
      await grid(page, 'Instances').getByText('katana').waitFor({ state: 'detached', timeout: 15_000 });
      await see(drawer(page).getByText('has ended'));
      await page.getByLabel('Which').selectOption('ended');
      await see(grid(page, 'Instances').getByText('katana'));
      await page.goto(studio.admin);
      await see(page.getByText(`${studio.hosts.length} known`));
    },
  },
  {
    name: 'a tool with an object, lists, choices and a pattern in its arguments',
    async tell(page, studio) {
      await page.goto(`${studio.admin}?panel=tools&tool=maya.${studio.hosts[0]?.short}.place_cameras`);
      const form = page.getByRole('form', { name: 'Try it' });
      await form.getByRole('button', { name: 'Call' }).click();
      await see(form.getByText('It is needed'));
      await see(form.getByText('It needs at least 1'));
      const shot = form.getByRole('group', { name: 'shot' });
      await shot.getByLabel('name').fill('40');
      await form.getByLabel('lens').selectOption('long');
      await form.getByRole('button', { name: 'Add to points' }).click();
      await form.getByLabel('x', { exact: false }).first().fill('1.5');
      await form.getByRole('button', { name: 'Add to tags' }).click();
      await form.getByRole('textbox', { name: 'tags 1' }).fill('night, rain');
      await form.getByRole('button', { name: 'Add to tags' }).click();
      await form.getByRole('button', { name: 'Remove tags 2' }).click();
      await form.getByRole('button', { name: 'Call' }).click();
      await see(form.getByText('It must fit the pattern'));
      await shot.getByLabel('name').fill('sh40');
      await page.keyboard.press('Enter');
      await see(form.getByText('The call succeeded'));
      const answer = JSON.parse((await form.getByRole('region', { name: 'Answer' }).textContent()) ?? '');
      const points = [{ x: 1.5 }];
      assert.deepEqual(answer, { shot: { name: 'sh40', take: 1 }, lens: 'long', tags: ['night, rain'], points });
    },
  },
  {
    name: 'a job and an event are opened, and what is gone says so',
    // Of the job that nobody knows.
    passes: /404/,
    async tell(page, studio) {
      await page.goto(`${studio.admin}?panel=jobs`);
      await grid(page, 'Jobs').getByText('completed').first().click();
      await see(drawer(page).getByText('Took'));
      await see(drawer(page).getByRole('region', { name: 'Result' }).getByText('"rendered": 3'));
      await page.goto(`${studio.admin}?panel=events&kind=feedback_reported`);
      await grid(page, 'Events').getByText('feedback reported').first().click();
      await see(drawer(page).getByRole('link', { name: 'Findings' }));
      for (const [address, words] of [
        ['instances&instance=nobody', 'It is not here any more'],
        ['jobs&job=nobody', 'does not know it any more'],
        ['feedback&finding=nobody', 'It is not among those listed'],
      ] as const) {
        await page.goto(`${studio.admin}?panel=${address}`);
        await see(drawer(page).getByText(words));
      }
    },
  },
  {
    name: 'two tabs: each sees what happens, a pause is of one alone',
    async tell(page, studio) {
      await page.goto(`${studio.admin}?panel=calls`);
      const other = await page.context().newPage();
      await other.goto(`${studio.admin}?panel=calls`);
      for (const each of [page, other]) await see(each.getByText('Live', { exact: true }));
      await other.getByRole('button', { name: 'Pause' }).click();
      await studio.call('count_frames', { first: 1, last: 2 }, { 'x-svc-agent-id': 'in-two-tabs' });
      await see(page.getByText('in-two-tabs'));
      assert.equal(await other.getByText('in-two-tabs').count(), 0);
      await other.getByRole('button', { name: 'Paused' }).click();
      await see(other.getByText('in-two-tabs'));
      await other.close();
      await studio.call('count_frames', { first: 1, last: 2 }, { 'x-svc-agent-id': 'in-one-tab' });
      await see(page.getByText('in-one-tab'));
    },
  },
  {
    name: 'traces come while calls end, and stay where they are for who reads',
    async tell(page, studio) {
      await page.goto(`${studio.admin}?panel=traces&q=count_frames`);
      const row = grid(page, 'Traces').getByRole('row').nth(6);
      await row.focus();
      await row.evaluate(element => Object.assign(element.closest('[role=grid]') ?? {}, { marked: true }));
      const at = await row.getAttribute('data-active');
      const before = await page.getByText(/listed of/).textContent();
      for (let call = 0; call < 12; call += 1) {
        await studio.call('count_frames', { first: 1, last: 2 });
        await page.waitForTimeout(250);
      }
      const total = Number(/of (\d+)/.exec(before ?? '')?.[1]) + 12;
      await see(page.getByText(`listed of ${total}`));
      const kept = "document.querySelector('[role=grid]').marked === true && document.activeElement.role === 'row'";
      assert.equal(await page.evaluate(kept), true, 'the list was made anew under its reader');
      assert.equal(at, '');
    },
  },
  {
    name: 'more tools than one answer has are read on',
    async tell(page, studio) {
      await page.goto(`${studio.admin}?panel=tools`);
      await see(page.getByText(/listed$/));
      const known = Number(await grid(page, 'Tools').getAttribute('aria-rowcount'));
      const { stop } = await studio.join('flame', 'many-tools');
      await see(page.getByText('more below'));
      await grid(page, 'Tools').getByRole('row').nth(1).focus();
      await page.keyboard.press('End');
      await see(page.getByText(/listed$/));
      assert.equal(Number(await grid(page, 'Tools').getAttribute('aria-rowcount')), known + manyTools);
      stop();
    },
  },
  {
    name: 'a list that changes while more of it is read on: nothing is lost, and who reads stays where they are',
    async tell(page, studio) {
      const { stop } = await studio.join('flame', 'many-tools');
      await page.goto(`${studio.admin}?panel=tools&dcc=flame`);
      await see(page.getByText('more below'));
      // The answer waits until the list is read anew.
      let answer = () => {};
      const waits = new Promise<void>(resolve => {
        answer = resolve;
      });
      const isSearch = (request: Request): boolean => request.url().endsWith('/v1/search');
      const isFurther = (request: Request): boolean => isSearch(request) && request.postDataJSON().offset > 0;
      const isFirst = (request: Request): boolean => isSearch(request) && !isFurther(request);
      await page.route('**/v1/search', async route => {
        if (isFurther(route.request())) await waits;
        await route.continue();
      });
      const first = grid(page, 'Tools').getByRole('row').nth(1);
      await first.focus();
      await Promise.all([page.waitForRequest(isFurther), page.keyboard.press('End')]);
      const [other] = await Promise.all([
        studio.join('smoke', 'many-tools'),
        page.waitForResponse(each => isFirst(each.request())),
      ]);
      answer();
      await see(page.getByText(/listed$/));
      await page.keyboard.press('End');
      const stays = `(async () => {
        for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
        const list = document.querySelector('[role=grid]');
        return [list.getAttribute('aria-rowcount'), list.scrollTop, document.activeElement.textContent].join();
      })()`;
      const before = await page.evaluate<string>(stays);
      other.stop();
      await page.waitForResponse(each => isFurther(each.request()));
      assert.equal(await page.evaluate<string>(stays), before);
      stop();
    },
  },
  {
    name: 'every panel is the same after a reload',
    async tell(page, studio) {
      for (const { address, sight } of panels(studio).filter(each => each.name !== 'call-unknown')) {
        await page.goto(`${studio.admin}${address}`);
        await see(page.getByText(sight));
        const before = await stateOf(page);
        await page.reload();
        await see(page.getByText(sight));
        assert.equal(await stateOf(page), before, `${address} is not the same after a reload`);
      }
    },
  },
  {
    name: 'every panel by keys alone: what has the focus is in sight and marked',
    async tell(page, studio) {
      for (const { address, sight, list } of panels(studio).filter(each => !each.opened)) {
        await page.goto(`${studio.admin}${address}`);
        await see(page.getByText(sight));
        let reached = 0;
        for (let step = 0; step < mostTabs; step += 1) {
          await page.keyboard.press('Tab');
          const at = await focused(page);
          if (at.name.startsWith('BODY')) break;
          assert.ok(at.seen, `${address}: ${at.name} has the focus out of sight`);
          assert.ok(at.marked, `${address}: nothing shows that ${at.name} has the focus`);
          if (at.inMain) reached += 1;
        }
        assert.ok(reached > 0, `${address}: no key reaches the panel`);
        if (list === undefined) continue;
        await grid(page, list).getByRole('row').nth(1).focus();
        await page.keyboard.press('Enter');
        await drawer(page).waitFor();
        await page.keyboard.press('Escape');
        await drawer(page).waitFor({ state: 'detached' });
        assert.equal(await page.evaluate('document.activeElement.getAttribute("role")'), 'row', address);
      }
    },
  },
];

/** A gateway of its own: it ends without a word and starts again under two pages. */
export const restart: Story = {
  name: 'a gateway that starts again under the page: what was written stays, and changes are taken',
  // Its own gateway, whose stream is cut, and which refuses the token of the one before.
  passes: /^asked http:\/\/127\.0\.0\.1|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RE|status of 403/,
  async tell(page) {
    const own = await startGateway('svc-browser-', directory => ({ SVC_ETC_DIR: join(directory, 'etc') }));
    const origin = `http://127.0.0.1:${own.gatewayPort}`;
    try {
      await page.goto(`${origin}/admin?panel=integrations&edit=new`);
      const form = page.getByRole('form', { name: 'New webhook' });
      await form.getByLabel('Name').fill('hall');
      // Whoever saves before the page has read the new token.
      await page.route(`${origin}/admin`, async route => {
        await new Promise(resolve => setTimeout(resolve, 1500));
        await route.continue();
      });
      const health = await fetch(`${origin}/admin/api/health`).then(answer => answer.json());
      process.kill((health as { gateway: { current: { pid: number } } }).gateway.current.pid, 'SIGKILL');
      await see(page.getByText('Gateway away, trying again'));
      own.start(builtFile('svc-server.js'), ['gateway', '--port', String(own.gatewayPort), '--log-level', 'error']);
      await until(`${origin}/health`, () => true);
      await see(page.getByText('Live', { exact: true }));
      assert.equal(await form.getByLabel('Name').inputValue(), 'hall');
      await form.getByLabel('Address').fill(`${origin}/nobody`);
      await form.getByRole('button', { name: 'Save' }).click();
      await see(page.getByRole('button', { name: 'Send a test to hall' }));
    } finally {
      await own.stop();
    }
  },
};
