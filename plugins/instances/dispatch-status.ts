/** Whether the dispatcher of an instance takes calls. Pure. */
export type DispatchStatus = 'ready' | 'pending' | 'failed' | 'unknown';

/** As the adapter reports it in its metadata. */
export function dispatchOf(metadata: Readonly<Record<string, string>>): DispatchStatus {
  const told = metadata.dispatch_status;
  if (told === 'ready' || told === 'pending' || told === 'failed') return told;
  return told === 'unavailable' ? 'failed' : 'unknown';
}
