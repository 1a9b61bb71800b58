/** The only door into the kernel: what is behind `light.ts`, and what only a server needs. */

export { type Awaitable, after, createTurns, isPromise, type Turns } from '../schemas/awaitable.ts';
export { codecOf, type Era, type ErrorRow } from '../schemas/error-rows.ts';
export { environmentName, parseOption } from '../schemas/option-text.ts';
export { type Problem, summary } from '../schemas/problems.ts';
export { findProgram } from '../schemas/program.ts';
export type { PropertySchema, SettingsSchema, Slice } from '../schemas/settings-schema.ts';
export { absolutePlugins } from '../schemas/settings-sources.ts';
export { createSlices } from '../schemas/slices.ts';
export { writeWhole } from '../schemas/whole-file.ts';
export { buildApp } from './app.ts';
export type { Bus } from './bus.ts';
export {
  type Config,
  composeSettings,
  kernelSettings,
  resolveConfig,
  type SettingsOf,
  settingsOf,
  sliceOf,
} from './config.ts';
export { bootApp } from './embed/core.ts';
export { serverErrors } from './embed/errors.ts';
export { selectPlugins } from './embed/selection.ts';
export { serveThread } from './embed/thread.ts';
export { channelOf } from './embed/wire.ts';
export { createEntries } from './entries.ts';
export { errorTable, plain, toHttpError, toRpcError } from './errors.ts';
export type { EventAttributes, EventEnvelope, EventInput, EventName, EventRecord, KernelEvents } from './events.ts';
export type { Front, RequestGuard } from './front.ts';
export { type Hooks, vetoError } from './hooks.ts';
export { createKernel, type Kernel, type KernelParts } from './kernel.ts';
export * from './light.ts';
export type { Logger } from './log.ts';
export { badCursor, decodeCursor, encodeCursor, pageOf } from './page.ts';
export type { Reply, Rpc, RpcClient, RpcContext, RpcHandler, RpcId, RpcSession } from './rpc.ts';
export { encodeError, encodeResult, idOf, RawBytes, RawJson, replyText, requestProblem } from './rpc.ts';
export { createSchemas, type Schemas, type Validator } from './schema.ts';
export { createScope, type Scope } from './scope.ts';
