/** The key of a relay: read anew for each tunnel, so that a changed file counts at once. */
import { createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { JSONWebKeySet } from 'jose';
import { messageOf } from '../../kernel/index.ts';
import { objectOf, parsed } from '../../schemas/loose.ts';
import { relayErrors } from './errors.ts';

/** What tokens are checked with; a set of keys says itself which algorithm each is for. */
export type RelayKey =
  | { readonly kind: 'secret'; readonly secret: Uint8Array; readonly algorithms: readonly string[] }
  | { readonly kind: 'public'; readonly key: KeyObject; readonly algorithms: readonly string[] }
  | { readonly kind: 'set'; readonly set: JSONWebKeySet; readonly algorithms: readonly string[] };

const leastSecret = 32;
/** By kind of key: a token chooses no algorithm that its key is not for, and none is no algorithm. */
const secretAlgorithms = ['HS256', 'HS384', 'HS512'];
const publicAlgorithms: Readonly<Record<string, readonly string[]>> = {
  rsa: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ec: ['ES256', 'ES384', 'ES512'],
  ed25519: ['EdDSA', 'Ed25519'],
};
const setAlgorithms = Object.values(publicAlgorithms).flat();

/** Rejects with SVC_RELAY_NO_KEY or _KEY_INVALID. */
export async function readKey(path: string | null): Promise<RelayKey> {
  if (path === null) throw relayErrors.NO_KEY();
  const refused = (reason: string, cause?: unknown) => relayErrors.KEY_INVALID({ path, reason }, cause);
  const text = await readFile(path, 'utf8').catch(error => {
    throw refused(messageOf(error), error);
  });
  if (text.trimStart().startsWith('-----BEGIN')) {
    if (/PRIVATE KEY/.test(text)) throw refused('it is a private key: the relay needs the public one');
    let key: KeyObject;
    try {
      key = createPublicKey(text);
    } catch (error) {
      throw refused(messageOf(error), error);
    }
    const algorithms = publicAlgorithms[key.asymmetricKeyType ?? ''];
    if (!algorithms) throw refused(`tokens are not signed with keys of type ${key.asymmetricKeyType}`);
    return { kind: 'public', key, algorithms };
  }
  const { keys } = objectOf(parsed(text));
  if (Array.isArray(keys)) return { kind: 'set', set: { keys }, algorithms: setAlgorithms };
  const secret = text.trim();
  if (secret.length < leastSecret) throw refused(`a secret has at least ${leastSecret} characters`);
  await assertPrivate(path, refused);
  return { kind: 'secret', secret: new TextEncoder().encode(secret), algorithms: secretAlgorithms };
}

async function assertPrivate(path: string, refused: (reason: string) => Error): Promise<void> {
  if (process.platform === 'win32') return;
  const { mode } = await stat(path);
  if (mode & 0o077) throw refused('others may read this secret: chmod 600 makes it private');
}

/** Makes a secret where there is no file yet. */
export async function ensureKey(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(`${randomBytes(32).toString('base64url')}\n`);
    await file.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
