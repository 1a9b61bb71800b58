import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot, resolveConfig } from '../../kernel/index.ts';
import { createLog } from '../../kernel/log.ts';
import { tempDir } from './support.ts';

/** A log that writes to a file only as far as the test reads it; standard error is silent below its level. */
async function fileLog(level: 'warn' | 'error') {
  const file = join(await tempDir(), 'deep', 'svc.log');
  return {
    log: createLog({ ...resolveConfig(), log_level: level, log_file: file }),
    lines: async () => (await readFile(file, 'utf8')).trim().split('\n'),
  };
}

test('log: lines at or above the level go to the file and to the tail, as JSON', async () => {
  const { log, lines } = await fileLog('warn');
  log.logger.info('quiet');
  log.logger.warn({ a: 1 }, 'loud');
  await log.close();
  expect(await lines()).toHaveLength(1);
  expect(JSON.parse(log.tail(10)[0] ?? '')).toMatchObject({ level: 40, a: 1, msg: 'loud' });
});

test('log: secrets are censored by key, at the top and one level down', async () => {
  const { log, lines } = await fileLog('error');
  const secrets = { authorization: 's3cr3t', cookie: 's3cr3t', token: 's3cr3t', password: 's3cr3t', api_key: 's3cr3t' };
  log.logger.error({ ...secrets, headers: secrets, secret: 's3cr3t', user: 'ann' }, 'x');
  const [line = ''] = await lines();
  expect(line).not.toContain('s3cr3t');
  expect(JSON.parse(line)).toMatchObject({ token: '[redacted]', headers: { cookie: '[redacted]' }, user: 'ann' });
  await log.close();
});

test('log: what looks like a secret is censored wherever it stands, and a line stays one line of JSON', async () => {
  const { log, lines } = await fileLog('error');
  const token = `ghp_${'a1B2'.repeat(6)}`;
  const key = '-----BEGIN PRIVATE KEY-----\nMIIB\n';
  log.logger.error({ err: new Error(`cannot log in with ${token}`), deep: { list: [{ apiKey: 'q9' }, key] } }, token);
  const [line = '', ...others] = await lines();
  expect([others, line]).toEqual([[], expect.not.stringMatching(/ghp_|MIIB|q9/)]);
  expect(JSON.parse(line)).toMatchObject({ level: 50, err: { message: 'cannot log in with [redacted]' } });
  expect(JSON.parse(log.tail(1)[0] ?? '')).toEqual(JSON.parse(line));
  await log.close();
});

test('log: the tail gives the newest lines, oldest first, and is bounded', async () => {
  const { code, output } = await script(`
    const { logger, tail } = createLog({ log_level: 'info', log_file: null });
    for (let index = 0; index < 2500; index += 1) logger.info({ index }, 'x');
    const indices = tail(1e6).map(line => JSON.parse(line).index);
    process.stdout.write(JSON.stringify([indices.length, indices[0], indices.at(-1), tail(2).length]));
  `);
  expect([code, output]).toEqual([0, '[1000,1500,2499,2]']);
});

test('log: a reader of standard error that goes away does not end the process', async () => {
  const { code, output } = await script(`
    const { logger } = createLog({ log_level: 'info', log_file: null });
    setTimeout(() => {
      for (let i = 0; i < 100; i += 1) logger.info({ i }, 'x');
      process.stdout.write('alive');
    }, 200);
  `);
  expect([code, output]).toEqual([0, 'alive']);
});

/** Runs a script in a process whose standard error nobody reads. */
async function script(text: string): Promise<{ code: number; output: string }> {
  const source = `import { createLog } from './kernel/log.ts';\n${text}`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', source], {
    cwd: packageRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.destroy();
  let output = '';
  child.stdout.on('data', chunk => {
    output += chunk;
  });
  const [code] = await once(child, 'exit');
  return { code: code as number, output };
}
