/**
 * The kernel's light door, for code on the host's main thread: nothing behind it imports Fastify, pino, ajv or TypeBox.
 * Everything here is also behind `index.ts`, except the types' heavy origins.
 */

export type { Veto } from '../schemas/hook-answer.ts';
export { createIds, type Ids } from '../schemas/ids.ts';
export { createKept, type Kept } from '../schemas/kept.ts';
export type { Channel } from '../schemas/message-channel.ts';
export { isBuilt, packageRoot, packageVersion } from '../schemas/package.ts';
export { threadEntry } from '../schemas/thread-entry.ts';
export { messageOf } from '../schemas/thrown.ts';
export type { Environment } from '../schemas/variables.ts';
export { readConfigFile } from './config-file.ts';
export type { AsyncDisposer, EmbeddedServer, EmbeddedService, ServerExtra, StopReport } from './embed/api.ts';
export {
  type HostHalf,
  plainCopy,
  type ServerLink,
  under,
  wrongArgument,
} from './embed/half.ts';
export type { Host } from './embed/host.ts';
export { claimThread } from './embed/place.ts';
export { orderPlugins, type PluginSource } from './embed/selection.ts';
export { serverFactory } from './embed/server.ts';
export {
  defineErrors,
  type ErrorDetails,
  isSvcError,
  kernelErrors,
  reviveError,
  rpcErrors,
  type SvcError,
  sendableError,
  toSvcError,
} from './errors.ts';
export type { EventAttributes, EventEnvelope, EventInput, EventName, KernelEvents } from './events.ts';
export type { BeforeHook } from './hooks.ts';
export { definePlugin, type Plugin, type PluginMeta, type PluginSetup, type PluginTools } from './plugin.ts';
export { createPort, type Port, type PortContext, type PortHandler } from './port.ts';
export type { JsonSchema } from './schema.ts';
export type { Disposer } from './scope.ts';
