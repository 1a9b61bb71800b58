/**
 * Before every test file: whatever message a server sends in a test is held against the schema of its revision, and the
 * test that it was sent in fails when it does not fit. No test has to ask for it.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach } from 'vitest';
import type { Heard } from './judge.ts';
import { tap } from './tap.mjs';

const folder = join(process.env.SVC_TEST_REGISTRY ?? '', `oracle-${process.pid}`);
mkdirSync(folder, { recursive: true });
// Where programs that a test starts write what they were heard to say.
process.env.SVC_TEST_ORACLE = folder;

/** Each message once, however many clients it went to. */
const heard = new Map<string, Heard>();
const enough = 2000;
const found: string[] = [];

const untap = tap(each => {
  heard.set(`${each.revision} ${each.method} ${each.text}`, each);
  if (heard.size >= enough && judging) judgeAll();
});

let judging: typeof import('./judge.ts') | undefined;

/** It runs inside of the server's own `write`: what breaks here is a finding too, and must not break the answer. */
function judgement(each: Heard): string | undefined {
  try {
    return judging?.problemOf(each);
  } catch (error) {
    return `cannot be judged: ${error instanceof Error ? error.stack : error}`;
  }
}

function judgeAll(): void {
  for (const each of heard.values()) {
    const problem = judgement(each);
    if (problem !== undefined) found.push(`${each.revision}: ${problem}\n  in ${each.text.slice(0, 600)}`);
  }
  heard.clear();
}

function readFolder(): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith('.')) continue;
    const file = join(folder, `.${name}`);
    // Out of the way first: its writer may go on.
    renameSync(join(folder, name), file);
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      if (line !== '') heard.set(line, JSON.parse(line) as Heard);
    }
    rmSync(file);
  }
}

async function look(): Promise<void> {
  readFolder();
  if (heard.size === 0 && found.length === 0) return;
  judging ??= await import('./judge.ts');
  judgeAll();
  if (found.length === 0) return;
  const told = found.splice(0);
  throw new Error(`the server sent what MCP does not allow:\n${[...new Set(told)].slice(0, 10).join('\n')}`);
}

afterEach(look);
// Last of all: the next file of this process listens for itself.
afterAll(untap);
afterAll(look);
