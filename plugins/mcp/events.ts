/** What the MCP endpoint tells the bus. */

declare module '../../kernel/events.ts' {
  interface KernelEvents {
    'internal.request.cancelled_late': { session_id: string; request_id: string | number };
  }
}

export const mcpEvents = {
  'internal.request.cancelled_late': 'a client cancelled a request that is not in flight: it may have become a job',
} as const;
