/**
 * Who uses the page. Where the gateway asks for tokens somebody signs in with one, which this tab alone keeps and which
 * is in no address and no cookie: no other page can make the browser send it.
 */
import { signal } from '@preact/signals';
import { ask, isGuarded, onUnauthorized, Refused, setKeys } from './api.ts';
import { listen } from './live.ts';

interface Who {
  label: string | null;
  scopes: string[];
  token?: string;
}

export interface Session {
  state: 'checking' | 'out' | 'in';
  /** Why nobody is signed in. */
  problem?: string | undefined;
  /** Undefined where nobody has to sign in. */
  who?: Who;
}

const place = 'svc-token';
const farewell = 'svc-signed-out';

export const session = signal<Session>({ state: isGuarded ? 'checking' : 'in' });

/** Nothing that was shown stays in memory. */
export function signOut(problem = ''): void {
  sessionStorage.removeItem(place);
  sessionStorage.setItem(farewell, problem);
  location.reload();
}

function enter(token: string, who: Who): void {
  sessionStorage.setItem(place, token);
  setKeys({ change: who.token ?? '' });
  session.value = { state: 'in', who };
  onUnauthorized(error => signOut(`The gateway does not take the token any more. ${error.message}`));
  void listen();
}

/** Signs in, or says in the session why not. */
export async function signIn(text: string): Promise<void> {
  const token = text.trim();
  const out = (problem: string): void => {
    setKeys({ bearer: '' });
    session.value = { state: 'out', problem };
  };
  if (token === '') return out('Give the token.');
  if (!/^[\x21-\x7e]+$/.test(token)) return out('A token has neither blanks nor letters with accents: copy it again.');
  setKeys({ bearer: token });
  session.value = { state: 'checking' };
  try {
    const who = await ask<Who>('whoami');
    if (who.token !== undefined) return enter(token, who);
    out(`The token of "${who.label}" has ${listed(who.scopes)}. The page shows what others called: it takes "admin".`);
  } catch (error) {
    out(reasonOf(error as Error));
  }
}

const listed = (scopes: readonly string[]): string => `the scopes ${scopes.map(each => `"${each}"`).join(', ')}`;

function reasonOf(error: Error): string {
  if (!(error instanceof Refused)) return error.message;
  if (error.status === 401) return 'The gateway does not know this token.';
  if (error.status === 403) return `${error.message}. The page takes "admin".`;
  return error.message;
}

export function begin(): void {
  if (!isGuarded) return void listen();
  const problem = sessionStorage.getItem(farewell) || undefined;
  sessionStorage.removeItem(farewell);
  const known = sessionStorage.getItem(place);
  if (known === null) session.value = { state: 'out', problem };
  else void signIn(known);
}
