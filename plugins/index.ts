/**
 * The composition root and the package's entry: the ordered lists below are what a server is. Plugins are loaded where
 * the server runs, so that importing this module on the host's main thread stays cheap.
 */
import type { Config, SettingsOf, SettingsSchema } from '../kernel/index.ts';
import {
  claimThread,
  type EmbeddedServer,
  type EmbeddedService,
  type PluginSource,
  type ServerExtra,
  serverFactory,
  threadEntry,
  under,
} from '../kernel/light.ts';
import { type GuardianFields, guardianHalf } from './daemon/guardian/host.ts';
import type { GatewayInput, OpenGateway } from './daemon/sentinel/gateway-app.ts';
import { keepingFailedStarts } from './feedback/failed-starts.ts';
import { feedbackHalf, type HostFeedback } from './feedback/host.ts';
import { type Adapter, createAdapterOf } from './host/adapter.ts';
import { hostEventsHalf, type ServerBus } from './host/events/host.ts';
import { type HostTools, hostToolsHalf } from './host/host.ts';
import { type HostRegistration, type RegistrationFields, registrationHalf } from './instances/registration/host.ts';
import { type HostJobs, jobsHalf } from './jobs/host.ts';
import { type HostWorkflows, workflowsHalf } from './jobs/workflows/host.ts';
import { type ListenerFields, listenerHalf } from './listener/host.ts';
import { type McpFields, mcpHalf } from './mcp/host.ts';
import { type HostPrompts, promptsHalf } from './prompts/host.ts';
import type { OpenRelay, OpenTunnel, RelayInput, TunnelInput } from './relay/open.ts';
import type { TokenInput } from './relay/tokens.ts';
import { type HostResources, resourcesHalf } from './resources/host.ts';
import { artefactHalf, type HostArtefacts } from './resources/schemes/artefact/host.ts';
import { auditHalf, type HostAudit } from './resources/schemes/audit/host.ts';
import { type HostOpenUsd, openusdHalf } from './resources/schemes/openusd/host.ts';
import { type HostScene, sceneHalf } from './resources/schemes/scene/host.ts';
import { type HostSessionEvents, sessionEventsHalf } from './resources/schemes/session-events/host.ts';
import { type HostSkills, skillsHalf } from './skills/host.ts';

/** Plugins of a per-host server, in boot order; teardown is the reverse. */
export const instancePlugins = [
  { name: 'listener', load: async () => (await import('./listener/index.ts')).listenerPlugin },
  {
    name: 'guard',
    config: () => import('./guard/config.ts'),
    load: async () => (await import('./guard/index.ts')).guardPlugin,
  },
  { name: 'tracing', load: async () => (await import('./telemetry/tracing/index.ts')).tracingPlugin },
  {
    name: 'search',
    config: () => import('./search/config.ts'),
    load: async () => (await import('./search/index.ts')).searchPlugin,
  },
  {
    name: 'rest',
    config: () => import('./rest/routes-config.ts'),
    load: async () => (await import('./rest/index.ts')).restPlugin,
  },
  { name: 'health', load: async () => (await import('./health/index.ts')).healthPlugin },
  {
    name: 'registry',
    config: () => import('./instances/registry/config.ts'),
    load: async () => (await import('./instances/registry/index.ts')).registryPlugin,
  },
  {
    name: 'approvals',
    config: () => import('./policy/approvals/config.ts'),
    load: async () => (await import('./policy/approvals/index.ts')).approvalsPlugin,
  },
  {
    name: 'mcp',
    config: () => import('./mcp/config.ts'),
    load: async () => (await import('./mcp/index.ts')).mcpPlugin,
  },
  {
    name: 'tools',
    config: () => import('./tools/config.ts'),
    load: async () => (await import('./tools/index.ts')).toolsPlugin,
  },
  {
    name: 'host',
    config: () => import('./host/config.ts'),
    load: async () => (await import('./host/index.ts')).hostPlugin,
  },
  {
    name: 'skills',
    config: () => import('./skills/config.ts'),
    load: async () => (await import('./skills/index.ts')).skillsPlugin,
  },
  {
    name: 'policy',
    config: () => import('./policy/config.ts'),
    load: async () => (await import('./policy/index.ts')).policyPlugin,
  },
  { name: 'host-link', load: async () => (await import('./host-link/index.ts')).hostLinkPlugin },
  { name: 'host-events', load: async () => (await import('./host/events/index.ts')).hostEventsPlugin },
  { name: 'storage', load: async () => (await import('./storage/index.ts')).storagePlugin },
  {
    name: 'jobs',
    config: () => import('./jobs/config.ts'),
    load: async () => (await import('./jobs/index.ts')).jobsPlugin,
  },
  { name: 'workflows', load: async () => (await import('./jobs/workflows/index.ts')).workflowsPlugin },
  {
    name: 'job-notifications',
    config: () => import('./jobs/notifications/config.ts'),
    load: async () => (await import('./jobs/notifications/index.ts')).jobNotificationsPlugin,
  },
  { name: 'audit', load: async () => (await import('./audit/index.ts')).auditPlugin },
  {
    name: 'resources',
    config: () => import('./resources/config.ts'),
    load: async () => (await import('./resources/index.ts')).resourcesPlugin,
  },
  { name: 'prompt-methods', load: async () => (await import('./prompts/methods/index.ts')).promptMethodsPlugin },
  { name: 'prompts', load: async () => (await import('./prompts/index.ts')).promptsPlugin },
  {
    name: 'rest-instance',
    config: () => import('./rest/config.ts'),
    load: async () => (await import('./rest/index.ts')).restInstancePlugin,
  },
  { name: 'scheme-scene', load: async () => (await import('./resources/schemes/scene/index.ts')).schemeScenePlugin },
  {
    name: 'scheme-session-events',
    load: async () => (await import('./resources/schemes/session-events/index.ts')).schemeSessionEventsPlugin,
  },
  { name: 'scheme-audit', load: async () => (await import('./resources/schemes/audit/index.ts')).schemeAuditPlugin },
  {
    name: 'scheme-artefact',
    config: () => import('./resources/schemes/artefact/config.ts'),
    load: async () => (await import('./resources/schemes/artefact/index.ts')).schemeArtefactPlugin,
  },
  {
    name: 'scheme-capture',
    load: async () => (await import('./resources/schemes/capture/index.ts')).schemeCapturePlugin,
  },
  {
    name: 'scheme-openusd',
    load: async () => (await import('./resources/schemes/openusd/index.ts')).schemeOpenusdPlugin,
  },
  {
    name: 'scheme-skill',
    config: () => import('./resources/schemes/skill/config.ts'),
    load: async () => (await import('./resources/schemes/skill/index.ts')).schemeSkillPlugin,
  },
  {
    name: 'scheme-declared',
    load: async () => (await import('./resources/schemes/declared/index.ts')).schemeDeclaredPlugin,
  },
  { name: 'local-key', load: async () => (await import('./guard/local-key/index.ts')).localKeyPlugin },
  {
    name: 'registration',
    config: () => import('./instances/registration/config.ts'),
    load: async () => (await import('./instances/registration/index.ts')).registrationPlugin,
  },
  {
    name: 'remote-registration',
    config: () => import('./instances/remote-registration/config.ts'),
    load: async () => (await import('./instances/remote-registration/index.ts')).remoteRegistrationPlugin,
  },
  {
    name: 'advertise',
    config: () => import('./instances/advertise/config.ts'),
    load: async () => (await import('./instances/advertise/index.ts')).advertisePlugin,
  },
  {
    name: 'guardian',
    config: () => import('./daemon/guardian/config.ts'),
    load: async () =>
      (await import('./daemon/guardian/index.ts')).createGuardianPlugin(openEmbedded, gatewaySettingNames),
  },
  {
    name: 'feedback',
    config: () => import('./feedback/config.ts'),
    load: async () => (await import('./feedback/index.ts')).feedbackPlugin,
  },
  {
    name: 'webhooks',
    config: () => import('./webhooks/config.ts'),
    load: async () => (await import('./webhooks/index.ts')).webhooksPlugin,
  },
  {
    name: 'metrics',
    config: () => import('./telemetry/metrics/config.ts'),
    load: async () => (await import('./telemetry/metrics/index.ts')).metricsPlugin,
  },
  {
    name: 'otel',
    config: () => import('./telemetry/otel/config.ts'),
    load: async () => (await import('./telemetry/otel/index.ts')).otelPlugin,
  },
  { name: 'diagnostics', load: async () => (await import('./diagnostics/index.ts')).diagnosticsPlugin },
] as const satisfies readonly PluginSource[];

/** Plugins of the machine-wide gateway, in boot order. It executes no tool: what it is asked to do, an instance does. */
export const gatewayPlugins = [
  { name: 'listener', load: async () => (await import('./listener/index.ts')).listenerPlugin },
  {
    name: 'guard',
    config: () => import('./guard/config.ts'),
    load: async () => (await import('./guard/index.ts')).guardPlugin,
  },
  { name: 'tracing', load: async () => (await import('./telemetry/tracing/index.ts')).tracingPlugin },
  {
    name: 'search',
    config: () => import('./search/config.ts'),
    load: async () => (await import('./search/index.ts')).searchPlugin,
  },
  {
    name: 'rest',
    config: () => import('./rest/routes-config.ts'),
    load: async () => (await import('./rest/index.ts')).restPlugin,
  },
  { name: 'health', load: async () => (await import('./health/index.ts')).gatewayHealthPlugin },
  { name: 'storage', load: async () => (await import('./storage/index.ts')).storagePlugin },
  {
    name: 'mcp',
    config: () => import('./mcp/config.ts'),
    load: async () => (await import('./mcp/index.ts')).mcpPlugin,
  },
  {
    name: 'registry',
    config: () => import('./instances/registry/config.ts'),
    load: async () => (await import('./instances/registry/index.ts')).registryPlugin,
  },
  { name: 'local-key', load: async () => (await import('./guard/local-key/index.ts')).gatewayLocalKeyPlugin },
  {
    name: 'approvals',
    config: () => import('./policy/approvals/config.ts'),
    load: async () => (await import('./policy/approvals/index.ts')).approvalsPlugin,
  },
  { name: 'gateway-events', load: async () => (await import('./gateway/events/index.ts')).gatewayEventsPlugin },
  {
    name: 'instances',
    config: () => import('./instances/config.ts'),
    load: async () => (await import('./instances/index.ts')).instancesPlugin,
  },
  {
    name: 'discovery-http',
    load: async () => (await import('./instances/sources/http/index.ts')).discoveryHttpPlugin,
  },
  {
    name: 'discovery-relay',
    config: () => import('./instances/sources/relay/config.ts'),
    load: async () => (await import('./instances/sources/relay/index.ts')).discoveryRelayPlugin,
  },
  {
    name: 'discovery-mdns',
    config: () => import('./instances/sources/mdns/config.ts'),
    load: async () => (await import('./instances/sources/mdns/index.ts')).discoveryMdnsPlugin,
  },
  { name: 'leases', load: async () => (await import('./gateway/leases/index.ts')).leasesPlugin },
  {
    name: 'backends',
    config: () => import('./gateway/backends/config.ts'),
    load: async () => (await import('./gateway/backends/index.ts')).backendsPlugin,
  },
  { name: 'proxy', load: async () => (await import('./gateway/proxy/index.ts')).proxyPlugin },
  { name: 'capability-index', load: async () => (await import('./gateway/index/index.ts')).capabilitiesPlugin },
  {
    name: 'resources',
    config: () => import('./resources/config.ts'),
    load: async () => (await import('./resources/index.ts')).resourcesPlugin,
  },
  { name: 'delivery', load: async () => (await import('./gateway/delivery/index.ts')).deliveryPlugin },
  { name: 'prompt-methods', load: async () => (await import('./prompts/methods/index.ts')).promptMethodsPlugin },
  {
    name: 'aggregation',
    config: () => import('./gateway/aggregation/config.ts'),
    load: async () => (await import('./gateway/aggregation/index.ts')).aggregationPlugin,
  },
  {
    name: 'scheme-gateway',
    load: async () => (await import('./resources/schemes/gateway/index.ts')).schemeGatewayPlugin,
  },
  {
    name: 'gateway',
    config: () => import('./gateway/config.ts'),
    load: async () => (await import('./gateway/index.ts')).gatewayPlugin,
  },
  {
    name: 'call-records',
    config: () => import('./audit/records/config.ts'),
    load: async () => (await import('./audit/records/index.ts')).callRecordsPlugin,
  },
  {
    name: 'gateway-rest',
    config: () => import('./gateway/rest/config.ts'),
    load: async () => (await import('./gateway/rest/index.ts')).gatewayRestPlugin,
  },
  {
    name: 'policy',
    config: () => import('./policy/config.ts'),
    load: async () => (await import('./policy/index.ts')).policyPlugin,
  },
  {
    name: 'traffic',
    config: () => import('./traffic/config.ts'),
    load: async () => (await import('./traffic/index.ts')).trafficPlugin,
  },
  {
    name: 'debug',
    config: () => import('./debug/config.ts'),
    load: async () => (await import('./debug/index.ts')).debugPlugin,
  },
  {
    name: 'sentinel',
    config: () => import('./daemon/sentinel/config.ts'),
    load: async () => (await import('./daemon/sentinel/index.ts')).sentinelPlugin,
  },
  {
    name: 'second-listener',
    config: () => import('./gateway/second-listener/config.ts'),
    load: async () => (await import('./gateway/second-listener/index.ts')).secondListenerPlugin,
  },
  {
    name: 'feedback',
    config: () => import('./feedback/gateway-config.ts'),
    load: async () => (await import('./feedback/index.ts')).gatewayFeedbackPlugin,
  },
  {
    name: 'webhooks',
    config: () => import('./webhooks/config.ts'),
    load: async () => (await import('./webhooks/index.ts')).webhooksPlugin,
  },
  {
    name: 'metrics',
    config: () => import('./telemetry/metrics/config.ts'),
    load: async () => (await import('./telemetry/metrics/index.ts')).metricsPlugin,
  },
  {
    name: 'otel',
    config: () => import('./telemetry/otel/config.ts'),
    load: async () => (await import('./telemetry/otel/index.ts')).otelPlugin,
  },
  {
    name: 'admin',
    config: () => import('./admin/config.ts'),
    load: async () => (await import('./admin/index.ts')).adminPlugin,
  },
] as const satisfies readonly PluginSource[];

/** Plugins of a relay, which knows tunnels and no instance. */
export const relayPlugins = [
  { name: 'listener', load: async () => (await import('./listener/index.ts')).listenerPlugin },
  {
    name: 'guard',
    config: () => import('./guard/config.ts'),
    load: async () => (await import('./guard/index.ts')).guardPlugin,
  },
  {
    name: 'relay',
    config: () => import('./relay/config.ts'),
    load: async () => (await import('./relay/index.ts')).relayPlugin,
  },
] as const satisfies readonly PluginSource[];

/** Plugins of a tunnel, which listens nowhere. */
export const tunnelPlugins = [
  {
    name: 'registry',
    config: () => import('./instances/registry/config.ts'),
    load: async () => (await import('./instances/registry/index.ts')).registryPlugin,
  },
  {
    name: 'tunnel',
    config: () => import('./relay/tunnel-config.ts'),
    load: async () => (await import('./relay/index.ts')).tunnelPlugin,
  },
] as const satisfies readonly PluginSource[];

const gatewaySettingNames = async (): Promise<string[]> => Object.keys((await gatewaySettings()).properties);

/** A server's settings are the gateway's too. */
const openEmbedded = (input: Omit<GatewayInput, 'config'> & { config: Config }): Promise<OpenGateway> =>
  openGateway({ ...input, config: input.config as GatewayInput['config'] });

/** Opens the gateway in this process: `gateway_host` and `gateway_port` are what it listens on. */
export async function openGateway(input: GatewayInput): Promise<OpenGateway> {
  return (await import('./daemon/sentinel/gateway-app.ts')).openGateway(gatewayPlugins, input);
}

/** Opens a relay in this process. */
export async function openRelay(input: RelayInput): Promise<OpenRelay> {
  return (await import('./relay/open.ts')).openRelay(relayPlugins, input);
}

/** Opens a tunnel in this process, for a server that is reached from here. */
export async function openTunnel(input: TunnelInput): Promise<OpenTunnel> {
  return (await import('./relay/open.ts')).openTunnel(tunnelPlugins, input);
}

/** Makes the secret of a relay, where there is no such file yet. */
export async function makeRelayKey(path: string): Promise<void> {
  await (await import('./relay/open.ts')).makeRelayKey(path);
}

/** Signs a token for tunnels with the secret of their relay. */
export async function issueTunnelToken(input: TokenInput): Promise<string> {
  return (await import('./relay/open.ts')).issueTunnelToken(input);
}

/** What the host shows to clients as resources. */
export interface ServerResources
  extends HostResources,
    HostScene,
    HostAudit,
    HostSessionEvents,
    HostOpenUsd,
    HostArtefacts {}

/** A running server, as `start()` resolves with it. */
export interface Service extends EmbeddedService, ListenerFields, McpFields, RegistrationFields, GuardianFields {}

/** A server. Made by `createServer`; it boots on first need, and `start()` makes it listen. */
export interface Server
  extends EmbeddedServer<Service>,
    HostTools,
    HostSkills,
    HostJobs,
    HostWorkflows,
    HostPrompts,
    HostRegistration,
    HostFeedback {
  readonly bus: ServerBus;
  /** What the host shows to clients as resources. */
  resources(): ServerResources;
}

const composition = {
  sources: instancePlugins,
  settings: serverSettings,
  halves: [
    listenerHalf,
    mcpHalf,
    hostToolsHalf,
    hostEventsHalf,
    skillsHalf,
    jobsHalf,
    workflowsHalf,
    promptsHalf,
    under('resources', resourcesHalf, sceneHalf, auditHalf, sessionEventsHalf, openusdHalf, artefactHalf),
    registrationHalf,
    guardianHalf,
    feedbackHalf,
  ],
  // biome-ignore lint/style/noProcessEnv: the composition root is where the environment enters; everything below takes it as a parameter.
  env: process.env,
  // The server thread begins with this very module.
  entry: () => threadEntry('index', 'plugins/index.ts'),
} as const;
const create = serverFactory(composition);

if (claimThread()) void import('../kernel/index.ts').then(({ serveThread }) => serveThread(composition));

/**
 * Creates a server: `createServer({ port: 8765 })`, then `await server.start()`. Options that are not given come from
 * the environment (`SVC_*`), then from `configFile`, then from the defaults.
 */
export function createServer(options: ServerOptions = {}, extra: ServerExtra = {}): Server {
  return keepingFailedStarts(create(options, extra), async failure => {
    const { keepUnbooted } = await import('./feedback/unbooted.ts');
    await keepUnbooted(failure, {
      options: { ...options, plugins: extra.plugins },
      env: extra.env ?? composition.env,
      configFile: extra.configFile,
      settings: await serverSettings(),
      async registry(configured) {
        const { prepareDirectory, registryDirectory } = await import('./instances/registry/directory.ts');
        const directory = registryDirectory(configured);
        await prepareDirectory(directory);
        return directory;
      },
    });
  });
}

/** What `createAdapter` takes beside: `setup` registers what the host has, on the server of each start. */
export interface AdapterExtra extends ServerExtra {
  setup?(server: Server): unknown;
}

/** The base of an adapter: a server that can be switched on and off, told of only as it is. */
export function createAdapter(
  options: ServerOptions = {},
  { setup, ...extra }: AdapterExtra = {},
): Adapter<Server, Service> {
  return createAdapterOf<Service, Server>(() => createServer(options, extra), setup);
}

/** A complete configuration of a server: its own, and the gateway's that it launches or serves itself. */
export type ServerConfig = SettingsOf<typeof instancePlugins> & SettingsOf<typeof gatewayPlugins>;
/** A complete configuration of the gateway. */
export type GatewayConfig = SettingsOf<typeof gatewayPlugins>;
/** A complete configuration of a relay. */
export type RelayConfig = SettingsOf<typeof relayPlugins>;
/** A complete configuration of a tunnel. */
export type TunnelConfig = SettingsOf<typeof tunnelPlugins>;
/** What a caller may give: any subset. */
export type ServerOptions = Partial<Omit<ServerConfig, 'plugins'>>;

/** JSON Schema of the configuration of a server. */
export async function serverSettings(): Promise<SettingsSchema<ServerConfig>> {
  const { settingsOf } = await import('../kernel/index.ts');
  return settingsOf('svc:server-config', [...instancePlugins, ...gatewayPlugins]);
}

/** JSON Schema of the configuration of the gateway. */
export async function gatewaySettings(): Promise<SettingsSchema<GatewayConfig>> {
  const { settingsOf } = await import('../kernel/index.ts');
  return settingsOf('svc:gateway-config', gatewayPlugins);
}

/** JSON Schema of the configuration of a relay. */
export async function relaySettings(): Promise<SettingsSchema<RelayConfig>> {
  const { settingsOf } = await import('../kernel/index.ts');
  return settingsOf('svc:relay-config', relayPlugins);
}

/** JSON Schema of the configuration of a tunnel. */
export async function tunnelSettings(): Promise<SettingsSchema<TunnelConfig>> {
  const { settingsOf } = await import('../kernel/index.ts');
  return settingsOf('svc:tunnel-config', tunnelPlugins);
}

export {
  type AsyncDisposer,
  type BeforeHook,
  defineErrors,
  definePlugin,
  type Environment,
  type EventAttributes,
  type EventEnvelope,
  type EventInput,
  type EventName,
  type Host,
  isSvcError,
  type JsonSchema,
  type KernelEvents,
  orderPlugins,
  type Plugin,
  type PluginMeta,
  type PluginSetup,
  type PluginSource,
  type PluginTools,
  packageVersion,
  type ServerExtra,
  type StopReport,
  type SvcError,
  type Veto,
} from '../kernel/light.ts';
export type {
  Asking,
  AskOptions,
  ElicitAnswer,
  FormQuestion,
  Root,
  SampleAnswer,
  SampleMessage,
  SampleQuestion,
  UrlQuestion,
} from '../schemas/asking.ts';
export { FINDING_V1_SCHEMA_VERSION } from '../schemas/finding-version.ts';
export type { ToolAnnotations, ToolDefinition } from '../schemas/tool.ts';
export type {} from './audit/api.ts';
// The events of the house; another package declares its own with `declare module 'svc'`.
export type {} from './audit/events.ts';
export type { AuditRow, CallRecordsService, TraceRow } from './audit/records/api.ts';
export type { FailoverReport, GuardianService } from './daemon/guardian/api.ts';
export type {} from './daemon/guardian/events.ts';
export type { GatewayInput, OpenGateway, TakenOver } from './daemon/sentinel/gateway-app.ts';
export type {
  AgentFinding,
  FeedbackEntry,
  FeedbackFilter,
  FeedbackListing,
  FeedbackReceipt,
  Finding,
  FindingContext,
  FindingEvidence,
  LegacyReport,
} from './feedback/api.ts';
export type {} from './feedback/events.ts';
export type { FeedbackToolOptions } from './feedback/host.ts';
export type {} from './gateway/backends/events.ts';
export type {} from './gateway/events/api.ts';
export type {} from './gateway/events/events.ts';
export type { CapabilityRecord, SearchHit, SearchInput } from './gateway/index/api.ts';
export type {} from './gateway/index/events.ts';
export type { Caller, GuardService } from './guard/api.ts';
export type {} from './health/api.ts';
export type { Adapter } from './host/adapter.ts';
export type { HostCall, HostHandler } from './host/api.ts';
export type { ServerBus } from './host/events/host.ts';
export type { Instance, InstanceEvent, InstanceSource } from './instances/api.ts';
export type {} from './instances/events.ts';
export type { RegistrationChanges } from './instances/registration/api.ts';
export type { InstanceUpdate } from './instances/registration/host.ts';
export type { RegistryEntry, RegistryProblem } from './instances/registry/api.ts';
export type {} from './jobs/api.ts';
export type {} from './jobs/events.ts';
export type { WorkflowInput, WorkflowReceipt, WorkflowStep } from './jobs/workflows/api.ts';
export type {} from './jobs/workflows/events.ts';
export type {} from './mcp/api.ts';
export type {} from './mcp/events.ts';
// What a plugin of another package finds on `app`: the decorators are declared there.
export type { ApprovalsService, PendingApproval } from './policy/approvals/api.ts';
export type {} from './policy/approvals/events.ts';
export type {} from './prompts/api.ts';
export type { HostPrompt, PromptHandler } from './prompts/host.ts';
export type {} from './prompts/methods/events.ts';
export type { OpenedTunnel, TunnelAbout, TunnelState } from './relay/api.ts';
export type { OpenRelay, OpenTunnel, RelayInput, TunnelInput } from './relay/open.ts';
export type { TokenInput } from './relay/tokens.ts';
export type { ResourceContents, ResourceProducer, ResourceRecord, ResourceTemplate } from './resources/api.ts';
export type {} from './resources/events.ts';
export type { ArtefactInfo, ArtefactStore, FileRef } from './resources/schemes/artefact/api.ts';
export type { HostAuditLog, HostAuditRecord } from './resources/schemes/audit/host.ts';
export type { UsdItem, UsdProject } from './resources/schemes/openusd/api.ts';
export type {
  BufferOptions,
  PagedBuffer,
  SessionEvent,
  SessionEventBuffer,
  SessionEventInput,
} from './resources/schemes/session-events/api.ts';
export { createSessionEventBuffer } from './resources/schemes/session-events/buffer.ts';
export type {
  SearchSkillsInput,
  SkillContext,
  SkillScope,
  SkillStatus,
  SkillSummary,
  SkillTool,
  SkippedSkill,
} from './skills/api.ts';
export type {} from './skills/events.ts';
export type { Span, SpanInput, SpanRecord, TracingService } from './telemetry/tracing/api.ts';
export type {} from './tools/events.ts';
export { extractRationale, rationaleMeta } from './tools/rationale.ts';
export type {} from './traffic/api.ts';
export type {} from './webhooks/api.ts';
export type {} from './webhooks/events.ts';
