/** The page of a gateway that asks for tokens, as its operator meets it: signed out, refused, signed in, thrown out. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { digestOf } from '../../schemas/tokens.ts';
import { builtFile } from '../bench/peer.ts';
import { line, type Processes, startGateway, until } from '../processes.ts';
import { accessibility, listenTo } from './judge.ts';

const tokenOf = (label: string): string => `${label}-token-0123456789abcdef`;
const entries = (...labels: readonly (readonly [label: string, scope: string])[]): string =>
  JSON.stringify(labels.map(([label, scope]) => ({ label, sha256: digestOf(tokenOf(label)), scopes: [scope] })));

async function startGuarded(): Promise<Processes & { admin: string; tokens: string }> {
  let tokens = '';
  const processes = await startGateway('svc-browser-', async directory => {
    tokens = join(directory, 'tokens.json');
    await writeFile(tokens, entries(['desk', 'admin'], ['agent', 'call']), { mode: 0o600 });
    const traffic = join(directory, 'traffic.yaml');
    await writeFile(traffic, 'enabled: true\nsinks:\n  - kind: admin_live\n    ring_buffer: 500\n');
    return { SVC_AUTH_TOKENS_FILE: tokens, SVC_TRAFFIC_CONFIG: traffic };
  });
  const origin = `http://127.0.0.1:${processes.gatewayPort}`;
  const args = ['serve', '--json', '--gateway-port', String(processes.gatewayPort), '--dcc-type', 'maya'];
  await line(processes.start(builtFile('svc-server.js'), [...args, '--log-level', 'error']));
  const authorization = `Bearer ${tokenOf('desk')}`;
  await until(`${origin}/v1/instances`, text => text.includes('maya'), { authorization });
  return { ...processes, admin: `${origin}/admin`, tokens };
}

/** Resolves with what is wrong. */
export async function lookAtSignIn(browser: Browser, shots: string): Promise<string[]> {
  const guarded = await startGuarded();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const heard = listenTo(page, new URL(guarded.admin).origin);
  const problems: string[] = [];
  try {
    await operate(page, guarded, problems, shots);
  } catch (error) {
    problems.push(String((error as Error).message));
    await page.screenshot({ path: join(shots, 'failed-sign-in.png') });
  } finally {
    await context.close();
    await guarded.stop();
  }
  // Chromium itself tells of each refusal and of the stream that the gateway cuts with its token, both on purpose.
  return [...problems, ...heard().filter(each => !/status of 40[13]|ERR_INCOMPLETE_CHUNKED_ENCODING/.test(each))];
}

async function operate(page: Page, guarded: { admin: string; tokens: string }, problems: string[], shots: string) {
  const field = page.getByLabel('Token');
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const signIn = async (token: string): Promise<void> => {
    await field.fill(token);
    await page.keyboard.press('Enter');
  };
  await page.goto(`${guarded.admin}?panel=tools&q=scene`);
  await field.waitFor();
  assert.equal(await page.evaluate('document.activeElement.id'), 'token');
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 1280],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    problems.push(...(await accessibility(page)));
    await page.screenshot({ path: join(shots, `sign-in-${width}-${colorScheme}.png`) });
  }
  await page.setViewportSize({ width: 1280, height: 800 });

  await signIn('');
  await see('Give the token');
  await signIn('wrong token');
  await see('neither blanks');
  await signIn('nobody-knows-this-one');
  await see('The gateway does not know this token');
  await signIn(tokenOf('agent'));
  await see(/The token of "agent" has the scopes "call", "read".*takes "admin"/);
  await signIn(` ${tokenOf('desk')}\n`);
  await see('Live');
  await see('admin, register, call, read');
  // Where he wanted to be; and what changes something is done.
  assert.match(page.url(), /panel=tools&q=scene/);
  await page.getByRole('searchbox').fill('');
  await page.getByRole('gridcell').first().click();
  await page.getByRole('link', { name: 'Calls', exact: true }).click();
  const status = await page.evaluate<number>(
    `fetch('/v1/search', { method: 'POST', body: '{}' }).then(each => each.status)`,
  );
  assert.equal(status, 401, 'the browser sends the token by itself');
  await page.getByRole('link', { name: 'Connect', exact: true }).click();
  await see('Bearer $SVC_TOKEN');
  await page.getByRole('link', { name: 'Traffic', exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  assert.equal(await download.failure(), null);
  await page.screenshot({ path: join(shots, 'signed-in.png') });

  await page.reload();
  await see('Live');
  const kept = await page.evaluate<string>(
    'document.cookie + JSON.stringify(localStorage) + location + document.documentElement.outerHTML',
  );
  assert.equal(kept.includes(tokenOf('desk')), false, 'the token stands where others read it');

  await page.getByRole('button', { name: 'Sign out' }).click();
  await field.waitFor();
  assert.equal(await page.evaluate('JSON.stringify(sessionStorage)'), '{}');
  await page.reload();
  await field.waitFor();

  await signIn(tokenOf('desk'));
  await see('Live');
  await writeFile(guarded.tokens, entries(['agent', 'call']));
  for (let look = 0; look < 60 && (await field.count()) === 0; look += 1) {
    await page.getByRole('link', { name: look % 2 ? 'Traces' : 'Feedback' }).click();
    await page.waitForTimeout(100);
  }
  await see('The gateway does not take the token any more');
}
