/** The types of `svc` that a skill may use, as one file without imports: an editor finds them in the package itself. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isBuilt, packageRoot, packageVersion } from '../../../kernel/index.ts';
import { logLevels } from '../../../schemas/log-levels.ts';

/** Types alone, so that their text is a declaration as it stands. */
const sources = ['schemas/asking-types.ts', 'plugins/skills/runtime/skill-context.ts'];

/** Text of `svc.d.ts`. A built server has it in a file, since it is without its sources. */
export async function skillTypes(): Promise<string> {
  if (isBuilt) return readFile(join(packageRoot, 'dist', 'skill-types.d.ts'), 'utf8');
  const texts = await Promise.all(sources.map(each => readFile(join(packageRoot, each), 'utf8')));
  const levels = logLevels.map(each => `'${each}'`).join(' | ');
  const body = [`export type LogLevel = ${levels};`, ...texts.map(withoutImports)].join('\n\n');
  const indented = body.trim().replaceAll(/^(?=.)/gm, '  ');
  return `// Types of svc ${packageVersion} for the tools of this package, as "svc-server skills new" wrote them.\ndeclare module 'svc' {\n${indented}\n}\n`;
}

/** Without what stands above the first declaration, too: it is about the file that the text comes from. */
const withoutImports = (text: string): string =>
  text
    .replace(/^\/\*\*[\s\S]*?\*\/\n/, '')
    .replaceAll(/^import type .*\n/gm, '')
    .trim();
