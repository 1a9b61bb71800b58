/** The script tool of scene-inspector, run as the server runs it: JSON in, JSON out. */
import { spawn } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tempDir } from '../helper.ts';
import { cubeObj, envelopeOf } from './skill-context.ts';

const script = fileURLToPath(new URL('../../skills/examples/scene-inspector/scripts/scan_project.py', import.meta.url));

function run(input: string): Promise<{ code: number | null; stdout: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('python3', [script], { stdio: ['pipe', 'pipe', 'inherit'] });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', text => {
      stdout += text;
    });
    child.on('error', reject).on('close', code => resolve({ code, stdout }));
    child.stdin.end(input);
  });
}

const scan = async (args: unknown) => envelopeOf(JSON.parse((await run(JSON.stringify(args))).stdout));

test('a folder is reported with totals, the largest first, and duplicates by content', async () => {
  const folder = await tempDir();
  await mkdir(join(folder, 'props', '.hidden'), { recursive: true });
  await writeFile(join(folder, 'a.obj'), cubeObj);
  await writeFile(join(folder, 'props', 'copy.OBJ'), cubeObj);
  await writeFile(join(folder, 'props', 'same-size.obj'), cubeObj.replace('cube', 'Cube'));
  await writeFile(join(folder, 'big.glb'), Buffer.alloc(2000));
  await writeFile(join(folder, 'notes.txt'), 'no scene');
  await writeFile(join(folder, 'props', '.hidden', 'x.obj'), cubeObj);
  await symlink(folder, join(folder, 'props', 'loop'));
  const { success, context } = await scan({ folder });
  expect(success).toBe(true);
  expect(context).toMatchObject({
    files: 4,
    complete: true,
    formats: { obj: { files: 3 }, glb: { files: 1, bytes: 2000 } },
  });
  expect(context.largest[0]).toEqual({ path: join(folder, 'big.glb'), bytes: 2000 });
  expect(context.duplicates).toHaveLength(1);
  expect(context.duplicates[0].paths).toEqual([join(folder, 'a.obj'), join(folder, 'props', 'copy.OBJ')]);
  expect(context.wasted_bytes).toBe(cubeObj.length);
});

test('what cannot be scanned is a failed envelope', async () => {
  const folder = await tempDir();
  expect(await scan({ folder: join(folder, 'nowhere') })).toMatchObject({ success: false, error: 'folder_not_found' });
  expect(await scan({})).toMatchObject({ success: false, error: 'invalid_path' });
  expect(await scan([])).toMatchObject({ success: false, error: 'invalid_arguments' });
  const { code, stdout } = await run('{broken');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ success: false, error: 'invalid_arguments' });
});
