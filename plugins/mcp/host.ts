/** What the service object tells of the MCP endpoint. */
import type { HostHalf } from '../../kernel/light.ts';

export interface McpFields {
  /** URL of the MCP endpoint. */
  mcpUrl(): string;
}

export const mcpHalf = {
  plugin: 'mcp',
  service: (facts): McpFields => ({ mcpUrl: () => String(facts.mcp_url) }),
} satisfies HostHalf<object, McpFields>;
