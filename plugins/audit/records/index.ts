/** The records of calls through the gateway: kept in memory, or in `audit.jsonl` and `traces.jsonl`. */
import { resolve } from 'node:path';
import { definePlugin, messageOf } from '../../../kernel/index.ts';
import type {} from '../../rest/api.ts';
import type {} from './api.ts';
import { settings } from './config.ts';
import { recordErrors } from './errors.ts';
import { createFollowers } from './followers.ts';
import { createMemoryStore, keptInMemory } from './memory-store.ts';
import { createRecords } from './records.ts';
import { createRows } from './rows.ts';
import { openFileStore, type RecordStore } from './store.ts';

export const callRecordsPlugin = definePlugin(
  { name: 'call-records', dependencies: ['rest'], config: settings, errors: recordErrors },
  async (app, { kernel, config, scope, log }) => {
    const rows = createRows(app.rest.codec);
    const { gateway_audit_dir, gateway_audit_max_rows: max_rows, gateway_audit_max_bytes: max_bytes } = config;
    let store: RecordStore = createMemoryStore(rows);
    if (gateway_audit_dir !== null) {
      const directory = resolve(gateway_audit_dir);
      try {
        store = await openFileStore({
          ...{ directory, settings: config },
          onProblem: (file, reason) =>
            log.error({ file, reason }, 'calls are not recorded: the file cannot be written'),
          onRecovered: dropped => log.warn({ dropped }, 'calls are recorded again'),
        });
      } catch (error) {
        throw recordErrors.FOLDER({ directory, reason: messageOf(error) }, error);
      }
      const { skipped_invalid } = store.status();
      log.info({ directory, max_rows, max_bytes }, 'calls are recorded');
      if (skipped_invalid > 0)
        log.warn({ directory, skipped_invalid }, 'lines of the records are no rows, and skipped');
    }
    scope.add('store', store.close);
    const followers = createFollowers(rows);
    const keep = kernel.bus.on('internal.call.ended', ({ attributes: record }) => {
      store.add(record);
      followers.tell(record);
    });
    scope.add('internal.call.ended', keep);
    const durable = gateway_audit_dir !== null;
    const caps = { max_rows: durable ? max_rows : keptInMemory, max_bytes: durable ? max_bytes : null };
    app.decorate('callRecords', { ...createRecords(store, caps), follow: followers.follow });
  },
);
