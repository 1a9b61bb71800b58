/** A Python host whose functions say who reports and what lets it in, in front of a gateway that asks for a token. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempDir } from '../helper.ts';
import { authored, feedbackGateway } from '../plugins/feedback/support.ts';
import { startFakeHost } from './fake-host.ts';

const token = 'studio-key-0123456789abcdef';
const own = '0f1e2d3c-7b3f-4c1d-9a8e-5e2c9a104b5a';

test('functions of the host are asked with every report: on its main thread who reports, in its pool the token', async () => {
  const gateway = await feedbackGateway({ auth_tokens: [{ token, label: 'artist', scopes: ['call'] }] });
  const folder = await tempDir();
  const vault = join(folder, 'vault.json');
  const options = { log_dir: folder, log_level: 'debug' };
  const host = startFakeHost({ vault, options, feedback: { gateway_endpoint: gateway.url } });
  onTestFinished(() => host.stop());
  const client = await host.client();
  const report = async (given: object) => {
    await writeFile(vault, JSON.stringify({ id: own, token, ...given }));
    return client.callJson('dcc_feedback__report', { ...authored, evidence: {} });
  };

  expect(await report({})).toMatchObject({ success: true });
  expect((await client.callJson('noted')).ran).toEqual(['id True', 'context', 'token False']);
  const stored = join(gateway.registry_dir, 'feedback', `gateway-${process.pid}.jsonl`);
  const taken = async () => (await readFile(stored, 'utf8')).trim().split('\n');
  const reports = (await taken()).map(each => JSON.parse(each));
  expect(reports).toMatchObject([{ dcc_type: 'fake', host_version: '1.2', evidence: { instance_id: own } }]);

  const refused = async (given: object): Promise<string> => {
    const { error, message } = await report(given);
    return `${error}: ${message}`;
  };
  expect(await refused({ token: null })).toMatch(/^gateway_feedback_rejected: .*token/);
  expect(await refused({ token: `${token}x` })).toMatch(/^gateway_feedback_rejected: /);
  expect(await refused({ token: 'two words' })).toMatch(/^gateway_feedback_unavailable: .*no token$/);
  expect(await refused({ token: ['The vault is closed'] })).toMatch(/_unavailable: .*: The vault is closed$/);
  expect(await refused({ id: '' })).toMatch(/^feedback_instance_unavailable: .*gave no id$/);
  expect(await refused({ id: ['Not published yet'] })).toMatch(/^feedback_instance_unavailable: .*Not published yet$/);
  expect(await taken()).toHaveLength(1);

  const { server_pid } = await host.until(() => true);
  const logs = await Promise.all(
    (await readdir(folder)).filter(each => each.endsWith('.log')).map(each => readFile(join(folder, each), 'utf8')),
  );
  const { log } = await host.until(() => true);
  const command = await readFile(`/proc/${server_pid}/cmdline`, 'utf8').catch(() => '');
  expect([...logs, ...log, command].join('\n')).not.toContain(token);
});
