/** What prompts tell the bus. */

declare module '../../../kernel/events.ts' {
  interface KernelEvents {
    'prompts.list_changed': Record<string, never>;
  }
}

export const promptMethodsEvents = {
  'prompts.list_changed': 'clients are told to list the prompts again',
} as const;
