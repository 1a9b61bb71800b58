/** What an official client must be able to do against each target. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../helper.ts';
import { type CallResult, cuttableFetch, type DrivenClient, type Driver, type DriverHooks } from './driver.ts';
import { driveFolder, type Target, targets } from './target.ts';

const json = ({ content }: CallResult): unknown => JSON.parse(content[0]?.text ?? '');

/** A server with a client that has loaded the skill `drive`. */
async function driven(driver: Driver, target: Target, hooks?: DriverHooks) {
  const url = await target.start({ skill_paths: [await driveFolder()], tools_page_size: 5 });
  const open = async (own?: DriverHooks): Promise<DrivenClient> => {
    const client = await driver.open(url, own);
    onTestFinished(() => client.close());
    return client;
  };
  const client = await open(hooks);
  await client.call('load_skill', { skill_name: 'drive' });
  return { client, open };
}

async function allNames(client: DrivenClient): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listPage(cursor);
    expect(page.names.length).toBeLessThanOrEqual(5);
    names.push(...page.names);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return names;
}

/** Declares the suite for one client. */
export function drive(driver: Driver): void {
  describe.each(targets)(`${driver.name} drives $name`, target => {
    test('initialize and ping', async () => {
      const { client } = await driven(driver, target);
      expect(client.serverName).toBe('svc');
      expect(client.sessionId).toBeTruthy();
      await client.ping();
    });

    test('list, page by page, and call', async () => {
      const { client } = await driven(driver, target);
      const names = await allNames(client);
      expect(names).toEqual(expect.arrayContaining(['echo', 'steps', 'hang', 'load_skill', '__skill__extra']));
      expect(new Set(names).size).toBe(names.length);
      expect(json(await client.call('echo', { deep: { list: [1, 'ü'] } }))).toEqual({ deep: { list: [1, 'ü'] } });
      await expect(client.call('no_such_tool')).rejects.toThrow(/no_such_tool/);
    });

    test('progress', async () => {
      const { client } = await driven(driver, target);
      const seen: number[] = [];
      const result = await client.call('steps', { count: 4 }, { onProgress: ({ progress }) => seen.push(progress) });
      expect(json(result)).toEqual({ steps: 4 });
      expect(seen).toEqual([1, 2, 3, 4]);
    });

    test('cancel', async () => {
      const { client } = await driven(driver, target);
      const abort = new AbortController();
      const call = client.call('hang', {}, { signal: abort.signal });
      const settled = call.then(
        () => 'answered',
        () => 'rejected',
      );
      // A call that is cancelled before it begins never runs.
      await waitFor(async () => (json(await client.call('has_begun')) as { begun: boolean }).begun, 'the call');
      abort.abort(new Error('enough'));
      expect(await settled).toBe('rejected');
      await waitFor(async () => (json(await client.call('was_stopped')) as { stopped: boolean }).stopped, 'the abort');
    });

    test('list_changed', async () => {
      let changes = 0;
      const { client, open } = await driven(driver, target);
      const watcher = await open({ onListChanged: () => (changes += 1) });
      // The standing stream opens on its own time after initialize: change until it is heard.
      await waitFor(async () => {
        await client.call('load_skill', { skill_name: 'extra' });
        await client.call('unload_skill', { skill_name: 'extra' });
        return changes > 0;
      }, 'a list_changed');
      await client.call('load_skill', { skill_name: 'extra' });
      expect(await allNames(watcher)).toContain('extra_tool');
    });

    test('logging level', async () => {
      const heard: string[] = [];
      const { client } = await driven(driver, target, { onLog: ({ level }) => heard.push(level) });
      await client.setLevel('error');
      await client.call('talk');
      await waitFor(() => heard.length > 0, 'a log message');
      expect(heard).toEqual(['error']);
      await client.setLevel('debug');
      await client.call('talk');
      await waitFor(() => heard.length >= 3, 'both messages');
      expect(heard).toEqual(['error', 'info', 'error']);
    });

    test('roots', async () => {
      const roots = [{ uri: 'file:///shots/shot-010', name: 'shot 010' }];
      const { client } = await driven(driver, target, { roots });
      expect(json(await client.call('list_roots'))).toMatchObject({ supports_roots: true, count: 1, roots });
    });

    test('resume of the standing stream: nothing is missed while the network was broken', async () => {
      let changes = 0;
      const network = cuttableFetch();
      const { client, open } = await driven(driver, target);
      await open({ fetch: network.fetch, onListChanged: () => (changes += 1) });
      await waitFor(async () => {
        await client.call('load_skill', { skill_name: 'extra' });
        await client.call('unload_skill', { skill_name: 'extra' });
        return changes > 0;
      }, 'a list_changed');
      await new Promise(resolve => setTimeout(resolve, 50));
      const before = changes;
      network.cut();
      await client.call('load_skill', { skill_name: 'extra' });
      await waitFor(() => changes > before, 'the missed list_changed');
      expect(network.resumedAfter.at(-1)).toBeTruthy();
    });

    test('resume of a call: its answer arrives although its stream broke', async () => {
      const network = cuttableFetch();
      const { client } = await driven(driver, target, { fetch: network.fetch });
      const seen: number[] = [];
      const call = client.call(
        'steps',
        { count: 8, pause_ms: 100 },
        {
          onProgress: ({ progress }) => {
            seen.push(progress);
            if (progress === 2) network.cut();
          },
        },
      );
      expect(json(await call)).toEqual({ steps: 8 });
      expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    });

    test('the end of the session', async () => {
      const { client } = await driven(driver, target);
      await client.terminate();
      await expect(client.ping()).rejects.toThrow();
    });
  });
}
