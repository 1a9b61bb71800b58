/**
 * What of svc runs for this user. A program (`svc-server serve`, `gateway`, `relay`, `tunnel`) leaves a record in the state
 * directory and answers at its control address, which also tells whether it lives; a server inside an application is
 * known by its row in the registry. `findRunning()` gives all. No secret and no
 * argument stands in a record: a restart is made by the program itself, which has its own in memory.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { registryDirectory, rowsFolder } from '../plugins/instances/registry/api.ts';
import { hostInUrl } from '../schemas/address.ts';
import { gatewayType } from '../schemas/gateway-daemon.ts';
import { control } from './control.ts';
import { controlAddress, lives, runFolder } from './state.ts';

/** In the order in which they end: a server would launch its gateway anew, and both give their last answers by the others. */
export const kinds = ['server', 'gateway', 'tunnel', 'relay'] as const;

/** What a program says of itself. */
export interface RunRecord {
  kind: (typeof kinds)[number];
  /** Host type of a server, name of a gateway: for people, not unique. */
  name: string;
  pid: number;
  version: string;
  /** MCP endpoint; the relay itself, and of a tunnel the server that it leads to. */
  url: string;
  instance_id: string | null;
  started_at: string;
  /** Working directory. */
  directory: string;
  log_file: string | null;
  /** None of a relay, which knows no servers but by their tunnels. */
  registry_dir?: string;
  /** Its durable jobs: when it was killed, `doctor` looks at them. */
  job_storage_path?: string;
}

export interface Running extends RunRecord {
  /** Inside an application that stops and restarts it; such a server has no log of its own. */
  embedded: boolean;
  /** Body of its `/health`, of a tunnel how it stands; nothing when it did not answer. */
  health: Record<string, unknown> | null;
}

const answerMs = 1000;

/** Leaves the record of this process; the returned function takes it back. */
export async function leaveRecord(record: RunRecord): Promise<() => Promise<void>> {
  const file = recordFile(record.pid);
  await writeFile(file, JSON.stringify(record), { mode: 0o600 });
  return () => rm(file, { force: true });
}

const recordFile = (pid: number): string => join(runFolder(), `${pid}.json`);

/** Everything of this user that runs, servers first, relays last; records of programs that are gone are removed, with `tidy`. */
export async function findRunning({ tidy = true } = {}): Promise<Running[]> {
  const records = await readRecords();
  const programs = await Promise.all(records.map(each => lookAt(each, tidy)));
  const found = programs.filter(each => each !== undefined);
  const embedded = await findEmbedded(found);
  const all = [...found, ...embedded].sort((a, b) => Date.parse(a.started_at) - Date.parse(b.started_at));
  return kinds.flatMap(kind => all.filter(each => each.kind === kind));
}

export async function readRecords(): Promise<RunRecord[]> {
  const names = await readdir(runFolder()).catch(() => []);
  const texts = names
    .filter(each => each.endsWith('.json'))
    .map(each => readFile(join(runFolder(), each), 'utf8').then(recordIn, () => undefined));
  return (await Promise.all(texts)).filter(each => each !== undefined);
}

/** A file that is being written, or damaged, is no record. */
function recordIn(text: string): RunRecord | undefined {
  try {
    const record = JSON.parse(text) as RunRecord;
    return Number.isInteger(record.pid) && typeof record.url === 'string' ? record : undefined;
  } catch {
    return undefined;
  }
}

async function lookAt(record: RunRecord, tidy: boolean): Promise<Running | undefined> {
  const { outcome, close } = control(controlAddress(record.pid), 'status', answerMs);
  const found = await outcome;
  close();
  if (found.state === 'gone') {
    if (tidy) await rm(recordFile(record.pid), { force: true });
    return undefined;
  }
  const health = found.state === 'answered' ? (found.answer.health as Running['health']) : null;
  return { ...record, embedded: false, health };
}

/** A row of the registry, as far as it is of use here: whoever wrote it wrote it for this user. */
interface Row {
  instance_id: string;
  dcc_type: string;
  status: string;
  host: string;
  port: number;
  pid: number | null;
  display_name: string | null;
  registered_at: number;
  metadata: Record<string, string>;
}

/** Servers inside applications, and gateways that such a server serves. */
async function findEmbedded(programs: readonly Running[]): Promise<Running[]> {
  const own = registryDirectory(process.env.SVC_REGISTRY_DIR || null);
  const directories = new Set([own, ...programs.flatMap(each => each.registry_dir ?? [])]);
  const known = new Set(programs.map(each => each.pid));
  const found = await Promise.all([...directories].map(each => readRows(each)));
  const rows = found
    .flat()
    .filter(({ row }) => row.pid !== null && !known.has(row.pid) && !isHandedOn(row) && lives(row.pid));
  return Promise.all(rows.map(({ row, registry_dir }) => described(row, registry_dir)));
}

/** A gateway that another has gone on for: it gives its last answers and is none to find any more. */
const isHandedOn = ({ dcc_type, status }: Row): boolean => dcc_type === gatewayType && status === 'shutting_down';

async function readRows(registry_dir: string): Promise<{ row: Row; registry_dir: string }[]> {
  const folder = rowsFolder(registry_dir);
  const names = await readdir(folder).catch(() => []);
  const rows = names
    .filter(each => each.endsWith('.json'))
    .map(async name => {
      const row = JSON.parse(await readFile(join(folder, name), 'utf8')) as Row;
      return { row: { ...row, metadata: row.metadata ?? {} }, registry_dir };
    });
  const read = await Promise.allSettled(rows);
  return read.flatMap(each => (each.status === 'fulfilled' && each.value.row.port > 0 ? [each.value] : []));
}

async function described(row: Row, registry_dir: string): Promise<Running> {
  const origin = `http://${hostInUrl(row.host)}:${row.port}`;
  const health = await fetch(`${origin}/health`, { signal: AbortSignal.timeout(answerMs) })
    .then(answer => answer.json() as Promise<Running['health']>)
    .catch(() => null);
  const gateway = row.dcc_type === gatewayType;
  return {
    kind: gateway ? 'gateway' : 'server',
    name: gateway ? (row.display_name ?? 'gateway') : row.dcc_type,
    pid: row.pid as number,
    version: String(health?.version ?? ''),
    url: row.metadata.mcp_url ?? row.metadata.gateway_mcp_url ?? `${origin}/mcp`,
    instance_id: row.instance_id,
    started_at: new Date(row.registered_at * 1000).toISOString(),
    directory: '',
    log_file: null,
    registry_dir,
    embedded: true,
    health,
  };
}
