/** What the host may ask of feedback: the tool for its agents, the reports of this process, and what a failed start leaves. */
import { Type } from 'typebox';
import {
  type Bus,
  type Disposer,
  type Host,
  type Logger,
  messageOf,
  type Schemas,
  type Scope,
} from '../../kernel/index.ts';
import { inputOf, key, optional, text } from '../../schemas/operation.ts';
import type { RegistryService } from '../instances/registry/api.ts';
import type { ToolsService } from '../tools/api.ts';
import type { FeedbackEntry } from './api.ts';
import type { Settings } from './config.ts';
import { createFeedbackEntries, entryCapacity } from './entries.ts';
import { feedbackErrors } from './errors.ts';
import { type GatewayAddress, gatewayOf } from './gateway.ts';
import { createHostErrors, type HostError } from './host-errors.ts';
import { identityOf, settledContext } from './identity.ts';
import { createFeedbackRecords } from './records.ts';
import { entryOfFailedStart, errorOfFailedStart } from './start-failure.ts';
import { identityQuestion, type Provided, type ProvidedIdentity, tokenQuestion } from './wire.ts';

export interface OperationDeps {
  host: Host;
  tools: Pick<ToolsService, 'publish'>;
  registry: Pick<RegistryService, 'directory' | 'prepare'>;
  schemas: Pick<Schemas, 'compile'>;
  bus: Pick<Bus, 'on'>;
  config: Settings;
  serverName: string;
  /** The id of the own row. */
  ownId: () => string | undefined;
  /** Process of the host. */
  hostPid: () => number;
  isListening: () => boolean;
  scope: Scope;
  log: Logger;
}

const toolInput = inputOf({
  key: optional(key),
  dcc_name: optional(Type.String({ minLength: 1, maxLength: 256 })),
  gateway_endpoint: optional(text),
  gateway_host: optional(text),
  gateway_port: optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
});
const filterInput = inputOf({
  tool_name: optional(text),
  severity: optional(text),
  limit: optional(Type.Integer({ minimum: 1, maximum: entryCapacity })),
});
const word = optional(Type.String({ minLength: 1, maxLength: 256 }));
const errorInput = inputOf({
  message: Type.String({ minLength: 1 }),
  ...{ phase: word, source: word, stream: word, level: word, exception_type: word, traceback: optional(text) },
  ...{ python_version: word, min_core_version: word, dcc_pid: optional(Type.Integer({ minimum: 1 })) },
  metadata: optional(Type.Record(Type.String(), Type.Unknown())),
});
const failureInput = inputOf({ code: Type.String(), message: Type.String() });

type ToolInput = GatewayAddress & { dcc_name?: string; key?: number };

const owner = 'feedback';

export async function addOperations(deps: OperationDeps): Promise<void> {
  const { host, tools, registry, schemas, config, scope, log } = deps;
  const entries = createFeedbackEntries();
  const files = new Map<string, ReturnType<typeof createFeedbackRecords>>();
  const identity = { ...config, server_name: deps.serverName };
  let registered: 'by settings' | 'by the host' | undefined;

  /** Stored, and from then on among the entries. */
  const keep = async (entry: FeedbackEntry): Promise<void> => {
    await registry.prepare();
    const { dcc_type } = entry;
    const file = files.get(dcc_type) ?? createFeedbackRecords(registry.directory, dcc_type);
    files.set(dcc_type, file);
    await file.append(entry);
    entries.add(entry);
  };
  scope.add('records', async () => void (await Promise.all([...files.values()].map(each => each.close()))));

  const settledHost = settledContext(identity);
  const hostErrors = createHostErrors({ directory: config.log_dir, context: settledHost, pid: deps.hostPid });
  scope.add('host errors', hostErrors.close);
  /** A log that cannot be written stops nothing. */
  const note = (error: HostError): Promise<unknown> =>
    hostErrors.record(error).catch(err => log.warn({ err }, "the log of the host's errors cannot be written"));
  const onFailure = deps.bus.on('tool.failed', ({ attributes }) => {
    const { error_kind, error_message, skill_name, tool_slug } = attributes;
    // Of a skill it is no error of the host.
    if (error_kind !== 'handler_error' || skill_name !== undefined) return;
    void note({ message: error_message, phase: 'dispatch', source: tool_slug, exception_type: error_kind });
  });
  scope.add('failures', onFailure);

  const publish = async ({ key, dcc_name, ...where }: ToolInput): Promise<Disposer> => {
    const { directory } = registry;
    const token = async () =>
      key === undefined ? undefined : ((await host.ask(tokenQuestion, key)) as Provided<unknown> | undefined);
    const gateway = gatewayOf(where, { config, directory, token });
    // A server that starts without the tool does not load it.
    const [{ reportTool }, { findingReader }] = await Promise.all([import('./report-tool.ts'), import('./reading.ts')]);
    const settled = settledContext(identity, dcc_name);
    const tool = reportTool({
      reader: findingReader(schemas),
      gateway,
      async identity() {
        const told = key === undefined ? {} : await host.ask(identityQuestion, key);
        return identityOf(settled, told as ProvidedIdentity, deps.ownId());
      },
      keep,
    });
    return tools.publish(owner, [tool], { source: 'host' });
  };

  const operations = [
    host.operation('registerFeedbackTool', toolInput, async input => {
      if (deps.isListening()) throw feedbackErrors.LATE();
      if (registered === 'by the host') throw feedbackErrors.REGISTERED();
      const undo = await publish(input as ToolInput);
      registered = 'by the host';
      return () => {
        registered = undefined;
        return undo();
      };
    }),
    host.operation('getFeedbackEntries', filterInput, filter => entries.list(filter)),
    host.operation('clearFeedback', inputOf({}), () => entries.clear()),
    host.operation('reportHostError', errorInput, error => hostErrors.record(error)),
    host.operation('keepFailedStart', failureInput, async failure => {
      await note(errorOfFailedStart(failure));
      try {
        await keep(entryOfFailedStart(failure, settledHost));
      } catch (error) {
        log.warn({ err: error }, `the finding of a failed start cannot be kept: ${messageOf(error)}`);
      }
    }),
  ];
  for (const undo of operations) scope.add('operation', undo);
  if (config.feedback_tool) {
    await publish({});
    registered = 'by settings';
  }
}
