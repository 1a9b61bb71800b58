/** The plugins that jobs need in a real server. */
import type { Plugin } from '../../../kernel/index.ts';
import { healthPlugin } from '../../../plugins/health/index.ts';
import { jobNotificationsPlugin } from '../../../plugins/jobs/notifications/index.ts';
import { mcpPlugin } from '../../../plugins/mcp/index.ts';
import { restPlugin } from '../../../plugins/rest/index.ts';
import { storagePlugin } from '../../../plugins/storage/index.ts';
import { toolsPlugin } from '../../../plugins/tools/index.ts';
import { jobsPlugin } from '../../contracts/rooms.ts';

export const plugins: readonly Plugin[] = [
  restPlugin,
  healthPlugin,
  storagePlugin,
  mcpPlugin,
  toolsPlugin,
  jobsPlugin,
  jobNotificationsPlugin,
];
