import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { validatorsPlugin } from '../../cli/build-validators.ts';
import { createSchemas, packageRoot } from '../../kernel/index.ts';
import type { JsonSchema } from '../../kernel/schema.ts';
import { serverSettings } from '../../plugins/index.ts';
import { HelloSchema, hostMessages } from '../../schemas/host-link.ts';
import { explain } from '../../schemas/problems.ts';

type Validate = ((value: unknown) => boolean) & { errors?: never };

test('validators compiled by the build say and fill in the same as those compiled at run time', async () => {
  const folder = await mkdtemp(join(packageRoot, 'node_modules', '.cache-validators-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'validators.mjs');
  await writeFile(join(folder, 'package.json'), '{ "imports": { "#aside/*": "./aside/*" } }');
  await build({
    absWorkingDir: packageRoot,
    entryPoints: ['kernel/own-validators.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    plugins: [validatorsPlugin],
    logLevel: 'silent',
  });
  const { ownValidators, ownSchemas } = (await import(pathToFileURL(outfile).href)) as {
    ownValidators: Record<string, Validate>;
    ownSchemas: Record<string, JsonSchema>;
  };
  const settings = await serverSettings();
  expect(ownSchemas['svc:server-config']).toEqual(JSON.parse(JSON.stringify(settings)));
  // Of the pipe to a host of another language: each message has a schema.
  const messages = [HelloSchema, ...Object.values(hostMessages)]
    .map(each => `modern ${(each as { $id?: string }).$id}`)
    .sort();
  expect(Object.keys(ownValidators).sort()).toEqual([
    'defaults svc:gateway-config',
    'defaults svc:instance-row',
    'defaults svc:relay-config',
    'defaults svc:server-config',
    'defaults svc:skill-frontmatter',
    'defaults svc:skill-group',
    'defaults svc:skill-metadata',
    'defaults svc:skill-prompt',
    'defaults svc:skill-tool',
    'defaults svc:skill-workflow-reference',
    'defaults svc:tunnel-config',
    'modern svc:deregister-instance',
    'modern svc:heartbeat-instance',
    ...messages,
    'modern svc:register-instance',
    'modern svc:tool-definition',
  ]);
  const ahead = ownValidators['defaults svc:server-config'] as Validate;
  const late = createSchemas().compileWithDefaults(settings);
  for (const value of [
    {},
    { port: 'x' },
    { prot: 1 },
    { host: '' },
    { skill_paths: [1] },
    { endpoint_path: 'x' },
    null,
  ]) {
    const [one, two] = [structuredClone(value), structuredClone(value)];
    const problems = ahead(one) ? undefined : explain(ahead.errors ?? []);
    expect(problems).toEqual(late(two));
    if (problems === undefined) expect(one).toEqual(two);
  }
});
