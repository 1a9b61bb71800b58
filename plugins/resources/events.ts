/** What resources tell the bus. */

declare module '../../kernel/events.ts' {
  interface KernelEvents {
    'resources.list_changed': Record<string, never>;
    'internal.resource.updated': { uri: string };
  }
}

export const resourcesEvents = {
  'resources.list_changed': 'clients are told to list the resources again',
  'internal.resource.updated': 'a resource changed or is gone; however often it changes in a burst, told once',
} as const;
