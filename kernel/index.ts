/** The only door into the kernel: what is behind `light.ts`, and what only a server needs. */

export { type Awaitable, after, createTurns, isPromise, type Turns } from '../schemas/awaitable.ts';
export { encodeCursor } from '../schemas/cursor.ts';
export { codecOf, type Era, plain } from '../schemas/error-rows.ts';
export { channelOf } from '../schemas/message-channel.ts';
export { environmentName, parseOption } from '../schemas/option-text.ts';
export { type Problem, summary } from '../schemas/problems.ts';
export { findProgram } from '../schemas/program.ts';
export { idOf, type RpcId, requestProblem } from '../schemas/rpc-message.ts';
export { encodeResult, RawBytes, RawJson, type Reply, replyText } from '../schemas/rpc-reply.ts';
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
export { createEntries } from './entries.ts';
export { errorTable, toHttpError, toRpcError } from './errors.ts';
export type { EventAttributes, EventEnvelope, EventInput, EventName, EventRecord, KernelEvents } from './events.ts';
export type { Front, RequestGuard } from './front.ts';
export { type Hooks, vetoError } from './hooks.ts';
export { createKernel, type Kernel } from './kernel.ts';
export * from './light.ts';
export type { Logger } from './log.ts';
export { badCursor, decodeCursor, pageOf } from './page.ts';
export type { Rpc, RpcContext, RpcHandler, RpcSession } from './rpc.ts';
export { encodeError } from './rpc.ts';
export { createSchemas, type Schemas, type Validator } from './schema.ts';
export { createScope, type Scope } from './scope.ts';
