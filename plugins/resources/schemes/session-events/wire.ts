/** What the server asks the event buffers of the host. */
import type { PagedBuffer } from './api.ts';

export const pageQuestion = 'session-events.page';

export interface PageQuestion {
  key: number;
  options: Parameters<PagedBuffer['page']>[0];
}
