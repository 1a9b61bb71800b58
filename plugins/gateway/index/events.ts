/** What the capability index tells the bus. */

declare module '../../../kernel/events.ts' {
  interface KernelEvents {
    'capabilities.changed': { generation: string; size: number; instance_id: string };
  }
}

export const capabilitiesEvents = {
  'capabilities.changed': 'the index shows other tools of an instance than before',
} as const;
