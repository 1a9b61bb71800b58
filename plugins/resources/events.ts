/** What resources tell the bus. */

declare module '../../kernel/index.ts' {
  interface KernelEvents {
    'internal.resource.updated': { uri: string };
  }
}

export const resourcesEvents = {
  'internal.resource.updated': 'a resource changed or is gone; however often it changes in a burst, told once',
} as const;
