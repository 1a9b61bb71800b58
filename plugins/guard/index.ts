/** Who may use the server: one guard in front of every door, of an instance and of the gateway. */
import type { IncomingMessage } from 'node:http';
import { resolve } from 'node:path';
import { definePlugin } from '../../kernel/index.ts';
import type { Caller, GuardService } from './api.ts';
import { settings } from './config.ts';
import { guardErrors } from './errors.ts';
import { openTokenFile } from './token-file.ts';
import { bearerOf, createTokens } from './tokens.ts';

export const guardPlugin = definePlugin(
  { name: 'guard', config: settings, errors: guardErrors },
  async (app, { kernel, config, scope, log }) => {
    const { auth_tokens: entries, auth_tokens_file } = config;
    let find = createTokens(entries).find;
    if (auth_tokens_file !== null) {
      const file = resolve(auth_tokens_file);
      const opened = await openTokenFile({ file, entries, schemas: kernel.schemas, log });
      scope.add('token file', opened.close);
      find = opened.find;
    }
    const on = entries.length > 0 || auth_tokens_file !== null;

    const callerOf = ({ headers }: IncomingMessage): Caller | undefined => {
      if (!on) return undefined;
      const token = bearerOf(headers.authorization);
      const caller = token === undefined ? undefined : find(token);
      if (!caller) throw guardErrors.UNAUTHORIZED({ reason: token === undefined ? 'there is none' : 'it is unknown' });
      return caller;
    };
    const service: GuardService = {
      on,
      callerOf,
      mayRegister(request, dcc_type) {
        const caller = callerOf(request);
        if (!caller) return;
        const { label, scopes, allowedDcc } = caller;
        if (!scopes.has('register')) throw guardErrors.SCOPE({ label, scope: 'register' });
        if (dcc_type === undefined || !allowedDcc || allowedDcc.has(dcc_type.toLowerCase())) return;
        throw guardErrors.DCC_SCOPE({ label, dcc_type });
      },
    };
    app.decorate('guard', service);
  },
);
