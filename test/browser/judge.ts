/** What is wrong with a page as it stands: errors that it told, requests that left the machine, what axe finds. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Collects from now on. */
export function listenTo(page: Page, origin: string): () => string[] {
  const problems: string[] = [];
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', error => problems.push(`error: ${error.message}`));
  page.on('request', request => {
    const { protocol, origin: asked } = new URL(request.url());
    if (asked !== origin && protocol !== 'data:') problems.push(`asked ${request.url()}`);
  });
  return () => problems.splice(0);
}

interface Violation {
  id: string;
  help: string;
  nodes: { target: string[] }[];
}

/** Violations, each with the first places where it stands. */
export async function accessibility(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const violations = await page.evaluate(
    async () =>
      (await (globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }).axe.run()).violations,
  );
  return violations.map(({ id, help, nodes }) => {
    const places = nodes.slice(0, 3).map(each => each.target.join(' '));
    return `axe ${id}: ${help}: ${places.join(', ')}${nodes.length > 3 ? ` and ${nodes.length - 3} more` : ''}`;
  });
}
