/** What the settings and the file say together: what is captured, and where to. */
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { messageOf, type Schemas } from '../../kernel/index.ts';
import { textOf as fileText } from '../../schemas/file-text.ts';
import type { Settings } from './config.ts';
import { trafficErrors } from './errors.ts';
import type { SinkEntry } from './file-schema.ts';
import { type CapturePlan, readTrafficFile } from './traffic-file.ts';

const largestFile = 1_048_576;

/** What is captured; `nothing` says why nothing is. Throws SVC_TRAFFIC_CONFIG_INVALID. */
export async function planOf(
  { traffic_capture, traffic_config }: Pick<Settings, 'traffic_capture' | 'traffic_config'>,
  schemas: Pick<Schemas, 'compileWithDefaults'>,
): Promise<CapturePlan | { nothing: string }> {
  const quick = traffic_capture === null ? [] : [quickSink(traffic_capture)];
  const file = traffic_config === null ? undefined : resolve(traffic_config);
  const said = readTrafficFile(file === undefined ? '' : await textOf(file), schemas, file);
  const own = said.enabled && file !== undefined ? said.sinks.map(each => located(each, dirname(file))) : [];
  const sinks = [...quick, ...own];
  if (sinks.length > 0) return { ...said, sinks };
  return { nothing: said.enabled ? `${file} names no sink` : `${file} says "enabled: false"` };
}

/** `jsonl:<path>` */
function quickSink(text: string): SinkEntry {
  const [, kind, path] = /^([^:]*):(.+)$/s.exec(text) ?? [];
  if (kind === 'jsonl' && path !== undefined) return { kind, path: resolve(path) };
  const reason = `"${text.slice(0, 100)}" is not of the form jsonl:<path>; for other sinks write a file and name it in SVC_TRAFFIC_CONFIG`;
  throw trafficErrors.CONFIG_INVALID({ source: 'SVC_TRAFFIC_CAPTURE', reason });
}

const located = (sink: SinkEntry, folder: string): SinkEntry =>
  sink.path === undefined ? sink : { ...sink, path: resolve(folder, sink.path) };

async function textOf(file: string): Promise<string> {
  try {
    const found = await stat(file);
    if (!found.isFile()) throw new Error('it is no regular file');
    if (found.size > largestFile) throw new Error(`it has ${found.size} bytes: at most ${largestFile} are read`);
    return await fileText(file);
  } catch (error) {
    throw trafficErrors.CONFIG_INVALID({ source: file, reason: messageOf(error) }, error);
  }
}
