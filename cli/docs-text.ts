/** The generated documents: the reference (options by plugin, errors, events, exit codes) and the commands. */
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command, Interfaces } from '@oclif/core';
import { errorTable, kernelSettings, type Plugin, type PropertySchema, packageRoot } from '../kernel/index.ts';
import { gatewayPlugins, instancePlugins, type PluginSource, relayPlugins, tunnelPlugins } from '../plugins/index.ts';
import { exitRows } from './exit-codes.ts';
import { choices } from './flags.ts';
import { keptDays, keptPrograms } from './log-prune.ts';
import { clientProgram, type Program, serverProgram } from './programs.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.map(cell).join(' | ')} |`).join('\n');

/** Files of the documentation by path, as they should be. */
export async function documents(): Promise<Map<string, string>> {
  await loadErrors();
  return new Map([
    ['schemas/README.md', reference(await allPlugins())],
    [
      'cli/README.md',
      await commandReference(serverProgram, 'schemas', operating, ['## Decision log', decisions.join('\n')]),
    ],
    ['cli/svc-cli/README.md', await commandReference(clientProgram, '../schemas', await guide(), [])],
  ]);
}

interface Listed {
  plugin: Plugin;
  /** Of an instance, of the gateway, or both. */
  of: string[];
}

/** Every built-in plugin once, in boot order, the instance's first. */
async function allPlugins(): Promise<Listed[]> {
  const found = new Map<string, Listed>();
  const lists: Record<string, readonly PluginSource[]> = {
    ...{ instance: instancePlugins, gateway: gatewayPlugins },
    ...{ relay: relayPlugins, tunnel: tunnelPlugins },
  };
  for (const [of, list] of Object.entries(lists)) {
    for (const source of list) {
      const plugin = await source.load();
      const known = found.get(plugin.name);
      if (known) known.of.push(of);
      else found.set(plugin.name, { plugin, of: [of] });
    }
  }
  return [...found.values()];
}

const reference = (listed: readonly Listed[]): string =>
  `${[
    '# Reference',
    'Made by `npm run docs`.',
    '## Options',
    'Each option is a key of the configuration file and of `createServer`, a flag (`max_sessions` is `--max-sessions`, a true one is switched off by `--no-…`) and a variable (`SVC_MAX_SESSIONS`). Flags win over the environment, the environment over the file. Lists in a variable are separated by commas, paths by the separator of `PATH`. Unknown keys are refused by name. A server takes the options of both kinds of process, because it launches the gateway or serves it itself; `svc-server gateway` takes those of the gateway, `svc-server relay` and `svc-server tunnel` theirs. A plugin of another package has a section under its own name in `plugins`.',
    '### The kernel',
    optionTable(kernelSettings.properties, () => []),
    ...optionSections(listed),
    '## Errors',
    'Every error that a caller can see has a code. Over JSON-RPC it is `error.data.code`, over REST it is `code`, from an embedded server it is the `code` of the `Error`. A row without a JSON-RPC number never travels that way.',
    errorList(listed),
    '## Events',
    eventList(listed),
    '## Exit codes',
    exitTable(),
  ].join('\n\n')}\n`;

/** A section for each plugin that has settings; one that several read stands with the first. */
function optionSections(listed: readonly Listed[]): string[] {
  const readers = new Map<string, string[]>();
  for (const { plugin } of listed) {
    for (const name of Object.keys(plugin.config?.properties ?? {})) {
      readers.set(name, [...(readers.get(name) ?? []), plugin.name]);
    }
  }
  return listed.flatMap(({ plugin, of }) => {
    const own = Object.entries(plugin.config?.properties ?? {}).filter(
      ([name]) => readers.get(name)?.[0] === plugin.name,
    );
    if (own.length === 0) return [];
    const others = (name: string): string[] => (readers.get(name) ?? []).slice(1);
    return [`### ${plugin.name} (${of.join(', ')})`, optionTable(Object.fromEntries(own), others)];
  });
}

function optionTable(properties: Record<string, PropertySchema>, others: (name: string) => string[]): string {
  const rows = Object.entries(properties).map(([name, property]) => {
    const values = choices(property).map(each => `\`${each}\``);
    const union = (property.anyOf ?? []).map(each => each.type).filter(Boolean);
    const type = values.length > 0 ? values.join(', ') : (property.type ?? union.join(' or '));
    const also = others(name).length > 0 ? ` (also read by ${others(name).join(', ')})` : '';
    return [`\`${name}\``, type, `\`${JSON.stringify(property.default)}\``, String(property.description) + also];
  });
  return table(['Option', 'Type', 'Default', 'Meaning'], rows);
}

function eventList(listed: readonly Listed[]): string {
  const rows = listed.flatMap(({ plugin: { name, events = {} } }) =>
    Object.entries(events).map(([event, when]) => [`\`${event}\``, name, when]),
  );
  return table(['Event', 'Plugin', 'When'], rows);
}

/** Codes of the rows that a plugin says are its own: `defineErrors` gives a factory for each. */
const codesOf = ({ errors = {} }: Plugin): string[] =>
  Object.values(errors as Record<string, () => { code: string }>).map(make => make().code);

function errorList(listed: readonly Listed[]): string {
  const owners = new Map(listed.flatMap(({ plugin }) => codesOf(plugin).map(code => [code, plugin.name])));
  const rows = [...errorTable]
    .filter(([code]) => /^(SVC_|EVENT_)/.test(code))
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([code, row]) => [
      `\`${code}\``,
      owners.get(code) ?? '',
      row.rpc === null ? '' : String(row.rpc),
      String(row.http),
      row.template,
    ]);
  return table(['Code', 'Plugin', 'JSON-RPC', 'HTTP', 'Message'], rows);
}

const exitTable = (): string =>
  table(
    ['Exit code', 'Name', 'When'],
    exitRows.map(each => [String(each.code), each.name, each.meaning]),
  );

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

const operating = `## Operating

| To | Say |
| --- | --- |
| see what runs, and how it is | \`svc-server status\` |
| read the logs, of what has ended too | \`svc-server logs\`, \`svc-server logs -f maya\` |
| end everything, or one | \`svc-server stop\`, \`svc-server stop maya\` |
| run what was installed since | \`svc-server restart\` |
| see what agents reach | \`svc-server instances\` |

A program is named by what \`status\` shows: its name, port, process id or the beginning of its instance id. \`restart\` begins it anew with its own arguments, directory and environment; that is the work of systemd, supervisor or a container where one of them runs it, and of the application where the server lives in one.

**Logs** stand in one directory: \`~/.local/state/svc\` on Linux (by \`XDG_STATE_HOME\`), \`~/Library/Logs/svc\` on macOS, \`%LOCALAPPDATA%\\svc\\Log\` on Windows. A file is turned over at \`log_max_bytes\`, with four older ones; \`log_file\` names another. Of programs that have ended, the logs of the latest ${keptPrograms} stay, for ${keptDays} days: a program that starts removes the others. Lines are JSON, and text on a terminal. A file that logrotate or a person moves away is begun anew by the next line; SIGHUP is not needed for it, and ends a program only when its terminal is gone. \`run/\` beside the logs says what runs: addresses and process ids, no argument and no secret.

**Recipes**, in the package: [svc-server.service](svc-server.service) for systemd, [supervisor.conf](supervisor.conf), [Dockerfile](Dockerfile) (each step was done by hand, as another user too; no container engine has built it).`;

/** Written by hand; a test runs its commands. */
const guide = async (): Promise<string> => (await readFile(join(packageRoot, 'cli/svc-cli/guide.md'), 'utf8')).trim();

const decisions = [
  '* **oclif, bundled, with its manifest made by the build.** Its scan of the commands and the import of all of them would be most of the time that `status` takes; a command is a file of its own in dist/commands/, loaded when it runs. Flags come from the configuration schema and are checked by it, so a message reads the same for a flag, a variable and a file.',
  '* **Exit code 0 after Ctrl-C.** For a server, being asked to stop is the ordinary end. A second Ctrl-C ends it at once, with 5.',
  '* **`svc-server` is `ambient`, an embedded server `dedicated`.** A program of its own has no other main thread to protect.',
  '* **On a terminal the log starts at `warn`.** A person reads the banner; a supervisor, whose stdout is no terminal, gets the log at `info`, and so does the file.',
  '* **A program restarts itself.** It has its arguments, directory and environment in memory: nothing that could be a secret is written down, and no process id is guessed. Commands reach it at a socket (a pipe on Windows) that only its user can open; a connection lasts as long as the program, which is how `stop` knows the end.',
  '* **Completion is made from the manifest.** The well-kept plugin knows no fish; a script needs no start of Node at every key.',
];

async function commandReference(
  { bin, folder: own }: Program,
  schemas: string,
  first: string,
  last: readonly string[],
): Promise<string> {
  const folder = join(packageRoot, 'cli', own, 'commands');
  const names = await readdir(folder, { recursive: true });
  const files = names.filter(each => each.endsWith('.ts')).map(each => each.split(sep).join('/'));
  const sections = files.sort().map(async file => {
    const [command] = Object.values((await import(pathToFileURL(join(folder, file)).href)) as Record<string, unknown>);
    return commandSection(bin, file.slice(0, -'.ts'.length), command as Command.Class);
  });
  const head = `Made by \`npm run docs\`. Every command ends with an exit code of the table in \`../${schemas}/README.md\`.`;
  return `${['# Commands', head, first, ...(await Promise.all(sections)), ...last].join('\n\n')}\n`;
}

function commandSection(bin: string, id: string, command: Command.Class): string {
  const { summary, description, examples = [] } = command;
  const name = `${bin} ${id.replace(/\/index$/, '').replaceAll('/', ' ')}`;
  const named = (text: string): string => text.replaceAll('<%= config.bin %>', bin);
  const args = Object.entries(command.args);
  const flags = { ...command.baseFlags, ...command.flags } as Interfaces.FlagInput;
  const shown = Object.entries(flags).filter(([, given]) => given.hidden !== true);
  const rows = shown.map(([flag, given]) => [flagText(flag, given), String(given.description ?? '')]);
  return [
    `## ${name}`,
    `${summary}. ${named(String(description))}`,
    ...(args.length > 0
      ? [
          table(
            ['Argument', 'Meaning'],
            args.map(([name, each]) => [`<${name}>`, String(each.description)]),
          ),
        ]
      : []),
    table(['Flag', 'Meaning'], rows),
    `\`\`\`sh\n${examples.map(each => named(String(each))).join('\n')}\n\`\`\``,
  ].join('\n\n');
}

function flagText(name: string, flag: Interfaces.FlagInput[string]): string {
  const names = [name, ...(flag.aliases ?? [])].map(
    each => `\`--${flag.type === 'boolean' && flag.allowNo ? '[no-]' : ''}${each}\``,
  );
  const value = flag.type === 'option' ? ` \`${flag.options?.join('|') ?? flag.helpValue ?? '<value>'}\`` : '';
  return names.join(', ') + value;
}
