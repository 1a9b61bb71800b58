/** How a client learns what it takes to be let in: `WWW-Authenticate`, and the metadata of a protected resource (RFC 9728). */
import type { IncomingMessage } from 'node:http';
import { isSvcError, type SvcError } from '../../kernel/index.ts';
import { type Scope, scopes } from '../../schemas/tokens.ts';

const wellKnown = '/.well-known/oauth-protected-resource';

export interface ChallengeInput {
  endpointPath: string;
  /** Undefined without an authorization server. */
  oauth: { issuer: string; audience: string } | undefined;
  /** Proxies in front that are trusted to say how they were asked. */
  trustedDepth: number;
}

export type Challenges = ReturnType<typeof createChallenges>;

export function createChallenges({ endpointPath, oauth, trustedDepth }: ChallengeInput) {
  const schemeOf = (headers: IncomingMessage['headers']): string => {
    const told = trustedDepth === 0 ? '' : String(headers['x-forwarded-proto'] ?? '');
    return told.split(',').at(-trustedDepth)?.trim() === 'https' ? 'https' : 'http';
  };

  /** As the outside knows this server: by the audience of its tokens, where that is an address. */
  const resourceOf = ({ headers }: IncomingMessage): string =>
    oauth && URL.canParse(oauth.audience) ? oauth.audience : `${schemeOf(headers)}://${headers.host}${endpointPath}`;

  const metadataUrl = (request: IncomingMessage): string => {
    const { origin, pathname } = new URL(resourceOf(request));
    return `${origin}${wellKnown}${pathname === '/' ? '' : pathname}`;
  };

  const challenge = (request: IncomingMessage, parts: readonly string[]): string => {
    const all = oauth ? [`resource_metadata="${metadataUrl(request)}"`, ...parts] : parts;
    return all.length === 0 ? 'Bearer' : `Bearer ${all.join(', ')}`;
  };

  return {
    /** Where the document is served: for the resource with its path, and without. */
    paths: oauth ? [...new Set([wellKnown, wellKnown + endpointPath])] : [],
    document: (request: IncomingMessage) => ({
      resource: resourceOf(request),
      authorization_servers: oauth ? [oauth.issuer] : [],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
    }),
    /** For a refusal that a token may overcome; undefined for any other. */
    of(error: SvcError, request: IncomingMessage): string | undefined {
      if (!isSvcError(error)) return undefined;
      if (error.row.http === 401) {
        const had = request.headers.authorization !== undefined;
        return challenge(request, had ? ['error="invalid_token"'] : oauth ? ['scope="read call"'] : []);
      }
      const { scope } = error.details as { scope?: Scope };
      if (error.row.http !== 403 || scope === undefined) return undefined;
      return challenge(request, ['error="insufficient_scope"', `scope="${scope}"`]);
    },
  };
}
