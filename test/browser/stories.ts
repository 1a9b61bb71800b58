/** What people do with the page, panel by panel, as they would: with mouse, keys and what they see. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import type { Studio } from './studio.ts';

export interface Story {
  name: string;
  /** What a page tells of and is right. */
  passes?: RegExp;
  tell(page: Page, studio: Studio): Promise<void>;
}

const open = (page: Page, studio: Studio, address = '') => page.goto(`${studio.admin}${address}`);
const see = (locator: Locator) => locator.first().waitFor({ timeout: 15_000 });
const rows = (page: Page, list: string) => page.getByRole('grid', { name: list }).getByRole('row');
/** Marks the page: a reload would lose it. */
const mark = (page: Page) => page.evaluate(() => Object.assign(globalThis, { marked: true }));
const assertSamePage = async (page: Page) =>
  assert.equal(
    await page.evaluate(() => (globalThis as { marked?: boolean }).marked),
    true,
    'the page was loaded anew',
  );

export const stories: readonly Story[] = [
  {
    name: 'from the overview to a call, its trace and its finding, without a reload',
    async tell(page, studio) {
      await open(page, studio);
      await mark(page);
      await studio.call('save_scene', {}, { 'x-request-id': 'told-call' });
      await studio.report('told-call', 'The file stayed locked after the tool had failed.');
      await page
        .getByRole('region', { name: 'Newest failures' })
        .getByRole('link', { name: /save_scene/ })
        .first()
        .click();
      await see(page.getByRole('complementary').getByText('Where the time went'));
      for (const name of ['client', 'gateway', 'adapter', 'skill']) {
        await see(page.locator('.waterfall').getByText(name, { exact: true }));
      }
      await page.getByRole('link', { name: 'The file stayed locked' }).first().click();
      await see(page.getByText('svc-cli feedback route'));
      assert.match(page.url(), /panel=feedback/);
      await page.getByRole('link', { name: 'The call', exact: true }).click();
      await see(page.getByText('Where the time went'));
      await assertSamePage(page);
      await page.goBack();
      await see(page.getByText('svc-cli feedback route'));
      // The address is the state: the same after a reload.
      await page.reload();
      await see(page.getByText('svc-cli feedback route'));
    },
  },
  {
    name: 'an instance comes and goes while it is watched',
    async tell(page, studio) {
      await open(page, studio, '?panel=instances');
      await see(page.getByText('houdini'));
      const { id, stop } = await studio.join('nuke');
      await see(page.getByText('nuke'));
      await page.getByText('nuke').click();
      await see(page.getByRole('complementary').getByText(id).first());
      stop();
      await page.getByRole('grid').getByText('nuke').first().waitFor({ state: 'detached', timeout: 15_000 });
    },
  },
  {
    name: 'calls come in as they end; a pause holds them; filters stand in the address',
    async tell(page, studio) {
      await open(page, studio, '?panel=calls');
      await see(rows(page, 'Calls').nth(1));
      await studio.call('count_frames', { first: 1, last: 2 }, { 'x-svc-agent-id': 'watched-agent' });
      await see(page.getByText('watched-agent'));
      await page.getByRole('button', { name: 'Pause' }).click();
      await studio.call('count_frames', { first: 1, last: 3 }, { 'x-svc-agent-id': 'later-agent' });
      await page.waitForTimeout(800);
      assert.equal(await page.getByText('later-agent').count(), 0);
      await page.getByRole('button', { name: 'Paused' }).click();
      await see(page.getByText('later-agent'));
      await page.getByLabel('Outcome').selectOption('failed');
      await see(page.getByText('locked by another user'));
      assert.equal(await page.getByRole('grid').getByText('ok', { exact: true }).count(), 0);
      assert.match(page.url(), /status=failed/);
    },
  },
  {
    name: 'a list by keys alone',
    async tell(page, studio) {
      await open(page, studio, '?panel=calls');
      await see(rows(page, 'Calls').nth(2));
      await rows(page, 'Calls').nth(1).focus();
      await page.keyboard.press('ArrowDown');
      await page.waitForTimeout(150);
      await page.keyboard.press('Enter');
      await see(page.getByRole('complementary').getByText('Where the time went'));
      await page.keyboard.press('Escape');
      await page.getByRole('complementary').waitFor({ state: 'detached' });
      assert.equal(await page.evaluate<string>('document.activeElement.getAttribute("role")'), 'row');
      // Where each row has two lines, too.
      await page.setViewportSize({ width: 320, height: 640 });
      await page.keyboard.press('End');
      await page.waitForTimeout(150);
      const [box, last] = [await page.getByRole('grid').boundingBox(), await page.locator(':focus').boundingBox()];
      assert.ok(
        box && last && last.y > box.y && last.y + last.height <= box.y + box.height + 1,
        'the last row is out of sight',
      );
    },
  },
  {
    name: 'traces by what was slow',
    async tell(page, studio) {
      await open(page, studio, '?panel=traces');
      await see(rows(page, 'Traces').nth(1));
      await page.getByLabel('Order').selectOption('slow');
      await see(page.getByText(/listed of/));
      const api = `${studio.admin}/api/traces?range=24h&order=slowest&limit=1`;
      const [slowest] = ((await fetch(api).then(each => each.json())) as { traces: { request_id: string }[] }).traces;
      await rows(page, 'Traces').nth(1).click();
      await see(page.getByRole('complementary').getByText(String(slowest?.request_id), { exact: true }));
      await see(page.locator('.waterfall'));
      // The gateway looks through all of them.
      await page.getByRole('searchbox').fill('failing-call');
      await see(page.getByText('1 listed of 1'));
    },
  },
  {
    name: 'traffic of a call, leg by leg, with what was left out; and as a file',
    async tell(page, studio) {
      await open(page, studio, '?panel=traffic');
      await studio.call('count_frames', { first: 1, last: 9, script: 'import secret' }, { 'x-request-id': 'wired' });
      await page.getByRole('searchbox').fill('wired');
      await rows(page, 'Traffic').nth(1).click();
      const detail = page.getByRole('complementary');
      await see(detail.getByText('Client → gateway'));
      await see(detail.getByText('Left out').first());
      assert.equal(await detail.getByText('import secret').count(), 0);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export' }).click(),
      ]);
      // What is shown, and no more.
      const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
      assert.deepEqual(new Set(lines.map(line => JSON.parse(line).correlation.request_id)), new Set(['wired']));
      assert.equal(`${lines.length} of`, /^\d+ of/.exec((await page.getByText(/frames$/).textContent()) ?? '')?.[0]);
      assert.equal(download.suggestedFilename(), 'traffic-wired.jsonl');
    },
  },
  {
    name: 'a job: its progress is seen, and it is cancelled',
    async tell(page, studio) {
      await open(page, studio, '?panel=jobs');
      await studio.call('render_frames', { count: 200 });
      await see(page.getByText(/^frame \d+$/));
      await page.getByRole('button', { name: 'Cancel render_frames' }).first().click();
      await see(page.getByRole('grid').getByText('cancelled'));
    },
  },
  {
    name: 'a tool is searched, its mistakes are told at their fields, and it is called',
    async tell(page, studio) {
      await open(page, studio, '?panel=tools');
      await page.getByRole('searchbox').fill('how many frames');
      await page.getByRole('gridcell', { name: 'count_frames' }).first().click();
      const form = page.getByRole('form', { name: 'Try it' });
      await form.getByRole('button', { name: 'Call' }).click();
      await see(form.getByText('It is needed'));
      await form.getByLabel('last').fill('ten');
      await form.getByRole('button', { name: 'Call' }).click();
      await see(form.getByText('It must be a number'));
      await form.getByLabel('last').fill('10');
      await form.getByRole('button', { name: 'Call' }).click();
      await see(form.getByText('"frames": 10'));
      await form.getByRole('link', { name: 'Where its time went' }).click();
      await see(page.locator('.waterfall'));
    },
  },
  {
    name: 'a skill is loaded and unloaded; a refused package says what puts it right',
    async tell(page, studio) {
      await open(page, studio, '?panel=tools&tab=skills');
      await page.getByRole('searchbox').fill(`scene-audit ${studio.hosts[0]?.short}`);
      await page.getByRole('button', { name: 'Load scene-audit' }).click();
      await page.getByRole('button', { name: 'Unload scene-audit' }).click({ timeout: 15_000 });
      await see(page.getByRole('button', { name: 'Load scene-audit', exact: true }));
      await page.getByRole('button', { name: 'Refused packages' }).click();
      await see(page.getByText('broken-tools'));
      await see(page.getByText('move other keys under metadata.svc'));
    },
  },
  {
    name: 'events and the log',
    async tell(page, studio) {
      await open(page, studio, '?panel=events');
      await see(page.getByRole('grid').getByText('feedback reported'));
      await page.getByLabel('Kind').selectOption('election_won');
      await see(page.getByText('serves the gateway'));
      await page.getByRole('link', { name: 'Logs' }).click();
      await page.getByLabel('Level').selectOption('warn');
      await rows(page, 'Log').nth(1).click();
      await see(page.getByRole('complementary').getByText('"plugin"'));
    },
  },
  {
    name: 'a webhook is edited: mistakes are told, the test arrives, the secret and the comments stay',
    async tell(page, studio) {
      await open(page, studio, '?panel=integrations');
      assert.equal((await page.content()).includes('hall-dashboard-secret'), false);
      await page.getByRole('button', { name: 'Edit pipeline' }).click();
      const form = page.getByRole('form', { name: 'Webhook pipeline' });
      await form.getByLabel('Events').fill('');
      await form.getByRole('button', { name: 'Save' }).click();
      await see(form.getByText('Name at least one event'));
      await form.getByLabel('Events').fill('tool.failed\njob.*');
      await form.getByRole('button', { name: 'Save' }).click();
      await see(page.getByText('tool.failed, job.*'));
      await page.getByRole('button', { name: 'Send a test to pipeline' }).click();
      await see(page.getByText('The test was delivered'));
      const test = studio.delivered.find(each => (each.body as { name?: string }).name === 'webhook.test');
      assert.equal(test?.headers.authorization, 'Bearer hall-dashboard-secret-0123456789');
      const file = await readFile(studio.webhooksFile, 'utf8');
      for (const kept of ['# Who is told', '# The dashboard', 'key=abcdefghij0123456789secret', 'job.*']) {
        assert.ok(file.includes(kept), `the file has lost ${kept}: ${file}`);
      }
    },
  },
  {
    name: 'a chat robot is added and removed',
    // Of the name that is taken.
    passes: /409/,
    async tell(page, studio) {
      await open(page, studio, '?panel=integrations');
      await page.getByRole('button', { name: 'Add a chat robot' }).click();
      const form = page.getByRole('form', { name: 'New webhook' });
      await form.getByLabel('Address').fill(studio.hookUrl);
      await form.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Send a test to chatrobot-message-push' }).click();
      await see(page.getByText('The test was delivered'));
      const sent = studio.delivered.map(each => each.body as { msgtype?: string }).find(each => each.msgtype);
      assert.equal(sent?.msgtype, 'markdown');
      // A new one of a name that is taken is refused, and nothing is lost.
      await page.getByRole('button', { name: 'Add a webhook' }).click();
      const name = 'chatrobot-message-push';
      await form.getByLabel('Name').fill(name);
      await form.getByLabel('Address').fill('http://127.0.0.1:9/other');
      await form.getByRole('button', { name: 'Save' }).click();
      await see(form.getByText(`There is a webhook "${name}" already`));
      await form.getByRole('button', { name: 'Cancel' }).click();
      const remove = page.getByRole('button', { name: 'Remove chatrobot-message-push' });
      await remove.click();
      await remove.click();
      await remove.waitFor({ state: 'detached' });
    },
  },
  {
    name: 'settings of a client are copied',
    async tell(page, studio) {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await open(page, studio, '?panel=connect');
      await page.getByRole('button', { name: 'Cursor' }).click();
      assert.match(page.url(), /client=cursor/);
      await page.getByRole('button', { name: 'Copy' }).nth(1).click();
      await see(page.getByText('Copied'));
      const copied = JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()'));
      assert.deepEqual(copied, { mcpServers: { svc: { url: `${new URL(studio.admin).origin}/mcp` } } });
    },
  },
  {
    name: 'light and dark, and a narrow window: the panels are behind a button',
    async tell(page, studio) {
      await open(page, studio);
      const theme = () => page.evaluate<string>('document.documentElement.dataset.theme');
      const before = await theme();
      await page.getByRole('button', { name: /theme$/ }).click();
      assert.notEqual(await theme(), before);
      await page.reload();
      assert.notEqual(await theme(), before);
      await page.setViewportSize({ width: 390, height: 800 });
      await page.getByRole('button', { name: 'Panels' }).click();
      await page.getByRole('link', { name: 'Jobs' }).click();
      await see(page.getByRole('heading', { name: 'Jobs', level: 1 }));
      await page.getByRole('link', { name: 'Events' }).waitFor({ state: 'hidden' });
    },
  },
];
