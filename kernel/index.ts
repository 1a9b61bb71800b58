/** The only door into the kernel. */
export { buildApp } from './app.ts';
export { type Awaitable, after, createTurns, isPromise, type Turns } from './awaitable.ts';
export { type BodySink, readBody } from './body.ts';
export type { Bus, Subscriber } from './bus.ts';
export {
  type Config,
  composeSettings,
  type Environment,
  environmentName,
  kernelSettings,
  type PropertySchema,
  parseOption,
  resolveConfig,
  type SettingsOf,
  type SettingsSchema,
  type Slice,
  type SliceSchema,
  type SliceValue,
  settingsOf,
  sliceOf,
} from './config.ts';
export { absolutePlugins, readConfigFile } from './config-file.ts';
export { createEntries, type Entries } from './entries.ts';
export {
  defineErrors,
  type Era,
  type ErrorDetails,
  type ErrorRow,
  errorTable,
  isSvcError,
  kernelErrors,
  messageOf,
  rpcErrors,
  type SvcError,
  sendableError,
  toHttpError,
  toRpcError,
  toSvcError,
} from './errors.ts';
export type { EventAttributes, EventEnvelope, EventInput, EventName, EventRecord, KernelEvents } from './events.ts';
export type { DirectHandler, Front, RequestGuard } from './front.ts';
export { type BeforeHook, type Hooks, type Veto, vetoableEvents, vetoError } from './hooks.ts';
export { createIds, type Ids } from './ids.ts';
export { createKernel, type Kernel, type KernelParts } from './kernel.ts';
export type { Logger } from './log.ts';
export { isBuilt, packageRoot, packageVersion } from './package.ts';
export { badCursor, decodeCursor, encodeCursor, pageOf } from './page.ts';
export { definePlugin, type Plugin, type PluginMeta, type PluginSetup, type PluginTools } from './plugin.ts';
export {
  type Channel,
  createPort,
  type Port,
  type PortCallOptions,
  type PortContext,
  type PortHandler,
} from './port.ts';
export { findProgram } from './program.ts';
export {
  encodeError,
  encodeResult,
  idOf,
  RawBytes,
  RawJson,
  type Reply,
  type Rpc,
  type RpcContext,
  type RpcHandler,
  type RpcId,
  type RpcSession,
  replyText,
  requestProblem,
} from './rpc.ts';
export { createSchemas, type JsonSchema, type Problem, type Schemas, summary, type Validator } from './schema.ts';
export { createScope, type Disposer, type Scope } from './scope.ts';
export { createSlices } from './slices.ts';
export { threadEntry } from './thread.ts';
export { writeWhole } from './whole-file.ts';
