/** Whoever is the server's user on its machine needs no other token: the registry directory, which is his alone, has a key. */
import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { definePlugin, writeWhole } from '../../../kernel/index.ts';
import { keyFile } from '../../../schemas/local-key.ts';
import type {} from '../../instances/registry/api.ts';
import type {} from '../../listener/api.ts';
import type {} from '../api.ts';

/** A gateway has one at all times, for what only its user may ask of it. */
const define = (always: boolean) =>
  definePlugin({ name: 'local-key', dependencies: ['listener', 'guard', 'registry'] }, (app, { scope, log }) => {
    if (!always && !app.guard.on) return;
    const key = randomBytes(32).toString('base64url');
    scope.add('key', app.guard.accept(key, { label: 'local', scopes: ['admin'] }));
    app.listener.whenBound(async port => {
      const file = keyFile(app.registry.directory, port);
      try {
        await app.registry.prepare();
        await writeWhole(file, `${key}\n`, { mode: 0o600, folderMode: 0o700 });
        scope.add('key file', async () => {
          // Who listens here now has one of its own.
          if ((await readFile(file, 'utf8').catch(() => '')).trim() === key) await rm(file, { force: true });
        });
      } catch (err) {
        log.warn({ err }, 'the key for programs of this user cannot be written: they need a token like everybody else');
      }
    });
  });

export const localKeyPlugin = define(false);
export const gatewayLocalKeyPlugin = define(true);
