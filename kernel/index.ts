/** The only door into the kernel: what is behind `light.ts`, and what only a server needs. */
export { buildApp } from './app.ts';
export type { Bus, Subscriber } from './bus.ts';
export { configProperties, environmentName, parseOption, resolveConfig } from './config.ts';
export { bootApp } from './embed/core.ts';
export { serverErrors } from './embed/errors.ts';
export { selectPlugins } from './embed/selection.ts';
export { serveThread } from './embed/thread.ts';
export { channelOf } from './embed/wire.ts';
export { createEntries, type Entries } from './entries.ts';
export { type Era, type ErrorRow, errorTable, toHttpError, toRpcError } from './errors.ts';
export type { EventAttributes, EventEnvelope, EventInput, EventName, EventRecord, KernelEvents } from './events.ts';
export type { DirectHandler, Front, RequestGuard } from './front.ts';
export { type Hooks, vetoableEvents, vetoError } from './hooks.ts';
export { createIds, type Ids } from './ids.ts';
export { createKernel, type Kernel, type KernelParts } from './kernel.ts';
export * from './light.ts';
export type { Logger } from './log.ts';
export { isBuilt, packageRoot } from './package.ts';
export { pageOf } from './page.ts';
export type { PortCallOptions } from './port.ts';
export {
  encodeError,
  encodeResult,
  idOf,
  isPromise,
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
export { createSchemas, type Problem, type Schemas, summary, type Validator } from './schema.ts';
export { createScope, type Scope } from './scope.ts';
