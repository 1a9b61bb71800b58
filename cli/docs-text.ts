/** The generated parts of the documentation: option table, error table, exit codes, command reference. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Interfaces } from '@oclif/core';
import { errorTable, packageRoot } from '../kernel/index.ts';
import { serverSettings } from '../plugins/index.ts';
import { COMMANDS } from './commands.ts';
import { exitRows } from './exit-codes.ts';
import { choices } from './flags.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.map(cell).join(' | ')} |`).join('\n');

/** Files of the documentation by path, as they should be. */
export async function documents(): Promise<Map<string, string>> {
  await loadErrors();
  const readme = await readFile(join(packageRoot, 'README.md'), 'utf8');
  const parts = { options: await optionTable(), errors: errorList(), 'exit-codes': exitTable() };
  const filled = Object.entries(parts).reduce((text, [name, body]) => fill(text, name, body), readme);
  return new Map([
    ['README.md', filled],
    ['cli/README.md', await commandReference()],
  ]);
}

async function optionTable(): Promise<string> {
  const { properties } = await serverSettings();
  const rows = Object.entries(properties).map(([name, property]) => {
    const values = choices(property).map(each => `\`${each}\``);
    const union = (property.anyOf ?? []).map(each => each.type).filter(Boolean);
    const type = values.length > 0 ? values.join(', ') : (property.type ?? union.join(' or '));
    return [`\`${name}\``, type, `\`${JSON.stringify(property.default)}\``, String(property.description)];
  });
  return table(['Option', 'Type', 'Default', 'Meaning'], rows);
}

function errorList(): string {
  const rows = [...errorTable]
    .filter(([code]) => /^(SVC_|EVENT_)/.test(code))
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([code, row]) => [`\`${code}\``, row.rpc === null ? '' : String(row.rpc), String(row.http), row.template]);
  return table(['Code', 'JSON-RPC', 'HTTP', 'Message'], rows);
}

const exitTable = (): string =>
  table(
    ['Exit code', 'Name', 'When'],
    exitRows.map(each => [String(each.code), each.name, each.meaning]),
  );

/** Replaces what stands between the markers of `name`. */
function fill(text: string, name: string, body: string): string {
  const [open, close] = [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`];
  const [start, end] = [text.indexOf(open), text.indexOf(close)];
  if (start < 0 || end < start) throw new Error(`README.md lacks the markers ${open} and ${close}`);
  return `${text.slice(0, start + open.length)}\n${body}\n${text.slice(end)}`;
}

/** Runs every module that adds rows to the error table. */
async function loadErrors(): Promise<void> {
  for (const folder of ['plugins', 'cli']) {
    const names = await readdir(join(packageRoot, folder), { recursive: true });
    for (const name of names.filter(each => each.endsWith('.ts')).sort()) {
      const path = join(packageRoot, folder, name);
      if (/= defineErrors\(/.test(await readFile(path, 'utf8'))) await import(pathToFileURL(path).href);
    }
  }
}

async function commandReference(): Promise<string> {
  const pjson = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'));
  const sections = Object.entries(COMMANDS).map(([id, command]) => commandSection(pjson.oclif.bin, id, command));
  return `${['# Commands', 'Made by `npm run docs`. Every command ends with an exit code of the table in `../README.md`.', ...sections].join('\n\n')}\n`;
}

function commandSection(bin: string, id: string, command: (typeof COMMANDS)[keyof typeof COMMANDS]): string {
  const name = `${bin} ${id.replace(':', ' ')}`;
  const args = Object.entries((command as { args?: Interfaces.ArgInput }).args ?? {});
  const flags = { ...command.baseFlags, ...command.flags } as Interfaces.FlagInput;
  const shown = Object.entries(flags).filter(([, given]) => given.hidden !== true);
  const rows = shown.map(([flag, given]) => [flagText(flag, given), String(given.description ?? '')]);
  return [
    `## ${name}`,
    `${command.summary}. ${command.description}`,
    ...(args.length > 0
      ? [
          table(
            ['Argument', 'Meaning'],
            args.map(([name, each]) => [`<${name}>`, String(each.description)]),
          ),
        ]
      : []),
    table(['Flag', 'Meaning'], rows),
    `\`\`\`sh\n${command.examples.map(each => each.replace('<%= config.bin %>', bin)).join('\n')}\n\`\`\``,
  ].join('\n\n');
}

function flagText(name: string, flag: Interfaces.FlagInput[string]): string {
  const names = [name, ...(flag.aliases ?? [])].map(
    each => `\`--${flag.type === 'boolean' && flag.allowNo ? '[no-]' : ''}${each}\``,
  );
  const value = flag.type === 'option' ? ` \`${flag.options?.join('|') ?? flag.helpValue ?? '<value>'}\`` : '';
  return names.join(', ') + value;
}
