/** A real wheel, made by hand: the machine that tests has no package index. */
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const make = `
import sys, zipfile
folder, name, version, text = sys.argv[1:]
info = f'{name}-{version}.dist-info'
with zipfile.ZipFile(f'{folder}/{name}-{version}-py3-none-any.whl', 'w') as wheel:
    wheel.writestr(f'{name}.py', text)
    wheel.writestr(f'{info}/METADATA', f'Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n')
    wheel.writestr(f'{info}/WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr(f'{info}/RECORD', '')
`;

/** Writes the wheel of a module whose `answer` is `answer`. */
export async function writeWheel(folder: string, name: string, version: string, answer: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const text = `answer = ${JSON.stringify(answer)}\n`;
  await promisify(execFile)('python3', ['-c', make, join(folder), name, version, text]);
}
