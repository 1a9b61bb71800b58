/** What other plugins may use of the merged directory of instances. */
import type { Disposer } from '../../kernel/index.ts';

export type InstanceSource = 'file' | 'http' | 'mdns' | 'relay';
export type InstanceStatus = string;
export type InstanceRow = Record<string, unknown> & { metadata?: Record<string, string> };

export interface Instance {
  readonly instance_id: string;
  readonly instance_short: string;
  readonly dcc_type: string;
  readonly row: InstanceRow;
  readonly source: InstanceSource;
  readonly source_meta: Record<string, unknown>;
  readonly host: string;
  readonly port: number;
  readonly mcp_url: string;
  readonly origin: string;
  readonly status: InstanceStatus;
  readonly stale: boolean;
  readonly dead: boolean;
  readonly routable: boolean;
  readonly last_heartbeat: number;
}

export interface InstancesService {
  readonly generation: number;
  list(view?: { include_stale?: boolean; include_dead?: boolean }): readonly Instance[];
  live(): readonly Instance[];
  get(instance_id: string): Instance | undefined;
  resolve(id: string): Instance;
  choose(selector: { instance_id?: string; dcc_type?: string }): Instance;
  toRow(instance: Instance): Record<string, unknown>;
  onChange(
    listener: (change: { kind: 'added' | 'changed' | 'removed'; instance: Instance; reason?: string }) => void,
  ): Disposer;
  report(
    instance_id: string,
    finding:
      | { kind: 'reachable'; readiness?: Record<string, boolean> }
      | { kind: 'unreachable' | 'booting' | 'host-died'; message: string },
  ): void;
  refresh(): Promise<void>;
}

declare module 'fastify' {
  interface FastifyInstance {
    instances: InstancesService;
  }
}
