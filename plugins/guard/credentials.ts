/** Everything that proves who a caller is: tokens of the settings and of a file, of an authorization server, of this process. */
import { resolve } from 'node:path';
import type { Awaitable, Disposer, Logger, Schemas, Scope } from '../../kernel/index.ts';
import type { Scope as AccessScope } from '../../schemas/tokens.ts';
import type { Caller } from './api.ts';
import type { Settings } from './config.ts';
import { guardErrors } from './errors.ts';
import { createJwt } from './jwt.ts';
import { openTokenFile } from './token-file.ts';
import { callerOf, createTokens } from './tokens.ts';
import type { Proof } from './verdicts.ts';

export interface CredentialsDeps {
  schemas: Pick<Schemas, 'compile'>;
  scope: Scope;
  log: Logger;
  /** Told when a token may be good for something else than before. */
  onChange(): void;
}

export type Credentials = Awaited<ReturnType<typeof openCredentials>>;

/** Rejects with SVC_GUARD_* for settings that nobody could be let in by. */
export async function openCredentials(config: Settings, { schemas, scope, log, onChange }: CredentialsDeps) {
  const { auth_tokens: entries, auth_tokens_file: file } = config;
  const oauth = oauthOf(config);
  let known: { find(token: string): Caller | undefined } = createTokens(entries);
  if (file !== null) {
    const opened = await openTokenFile({ file: resolve(file), entries, schemas, log, onChange });
    scope.add('token file', opened.close);
    known = opened;
  }
  const jwt = oauth && createJwt(oauth, log, onChange);
  const own = new Map<ReturnType<typeof createTokens>, Caller>();
  /** Of those that this process made itself. */
  const ownCaller = (token: string): Caller | undefined => {
    for (const [one, caller] of own) if (one.find(token)) return caller;
    return undefined;
  };

  return {
    /** Whether callers have to authenticate. */
    on: entries.length > 0 || file !== null || oauth !== undefined,
    oauth,
    /** Who has a token; why nobody has. */
    find(token: string): Awaitable<Proof | string> {
      const caller = known.find(token) ?? ownCaller(token);
      return caller ? { caller, until: Number.POSITIVE_INFINITY } : (jwt?.find(token) ?? 'it is unknown');
    },
    ownCaller,
    accept(token: string, { label, scopes }: { label: string; scopes: readonly AccessScope[] }): Disposer {
      const entry = { label, token, scopes: [...scopes] };
      const added = createTokens([entry]);
      own.set(added, callerOf(entry, `own:${label}`));
      onChange();
      return () => {
        own.delete(added);
        onChange();
      };
    },
  };
}

function oauthOf({ oauth_issuer, oauth_audience, oauth_jwks_uri }: Settings) {
  if (oauth_issuer === null) {
    if (oauth_audience === null && oauth_jwks_uri === null) return undefined;
    throw guardErrors.OAUTH_SETTINGS({ reason: 'oauth_issuer is missing' });
  }
  if (oauth_audience === null) {
    throw guardErrors.OAUTH_SETTINGS({
      reason: 'oauth_audience is missing: the address of this server, as the tokens name it',
    });
  }
  for (const [name, url] of Object.entries({ oauth_issuer, oauth_jwks_uri })) {
    if (url !== null && !/^https?:/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
      throw guardErrors.OAUTH_SETTINGS({ reason: `${name} is no http or https address` });
    }
  }
  return { issuer: oauth_issuer, audience: oauth_audience, jwksUri: oauth_jwks_uri ?? undefined };
}
