/** The plugins that jobs need in a real server. */
import type { Plugin } from '../../../kernel/index.ts';
import { healthPlugin } from '../../../plugins/health/index.ts';
import { jobNotificationsPlugin } from '../../../plugins/jobs/notifications/index.ts';
import { restPlugin } from '../../../plugins/rest/index.ts';
import { searchPlugin } from '../../../plugins/search/index.ts';
import { storagePlugin } from '../../../plugins/storage/index.ts';
import { toolsPlugin } from '../../../plugins/tools/index.ts';
import { jobsPlugin, mcpPlugin } from '../../contracts/rooms.ts';

export const plugins: readonly Plugin[] = [
  searchPlugin,
  restPlugin,
  healthPlugin,
  storagePlugin,
  mcpPlugin,
  toolsPlugin,
  jobsPlugin,
  jobNotificationsPlugin,
];
