/** An authorization server of the tests: its metadata, its keys, and whatever token is asked of it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

export async function startIssuer() {
  let pair = await generateKeyPair('ES256');
  let kid = 'first';
  let asked = 0;
  const server = createServer(async (request, response) => {
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    response.setHeader('content-type', 'application/json');
    if (request.url === '/.well-known/oauth-authorization-server') {
      response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
      return;
    }
    asked += 1;
    response.end(JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid, alg: 'ES256' }] }));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    asked: () => asked,
    publicKey: () => pair.publicKey,
    /** Signs with another key from now on. */
    async rotate() {
      pair = await generateKeyPair('ES256');
      kid = 'second';
    },
    sign: (
      audience: string,
      claims: Record<string, unknown> = {},
      header: object = {},
      key: Parameters<SignJWT['sign']>[0] = pair.privateKey,
    ) => {
      const given = {
        iss: issuer,
        aud: audience,
        sub: 'somebody',
        scope: 'read',
        exp: Date.now() / 1000 + 600,
        ...claims,
      };
      const kept = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as JWTPayload;
      return new SignJWT({ ...kept, ...(typeof kept.exp === 'number' && { exp: Math.floor(kept.exp) }) })
        .setProtectedHeader({ alg: 'ES256', kid, ...header })
        .sign(key);
    },
    close: () => server.close(),
  };
}
