/** Compares the `auth` block of an agent with what its card asks for. */

import type { RemoteAgentAuth } from '../../types.js';
import { oneLine } from '../card/describe-card.js';
import type { RemoteCard } from '../card/parse-card.js';
import type { SecurityScheme } from '../card/security-schemes.js';

/** What is needed instead; undefined: they fit, or the card does not say. */
export function schemeMismatch(
  auth: RemoteAgentAuth | undefined,
  { schemes, needsCredentials }: Pick<RemoteCard, 'schemes' | 'needsCredentials'>,
): string | undefined {
  if (schemes.length === 0) return undefined;
  const needed = schemes.map(nameOf).join(' or ');
  if (!auth) return needsCredentials ? `its card asks for ${needed}, but the agent has no "auth"` : undefined;
  if (schemes.some((scheme) => fits(auth, scheme))) return undefined;
  return `its "auth" is ${ownName(auth)}, but its card asks for ${needed}`;
}

function fits(auth: RemoteAgentAuth, scheme: SecurityScheme): boolean {
  const isBearer = scheme.kind === 'http' && scheme.scheme.toLowerCase() === 'bearer';
  const isToken = isBearer || scheme.kind === 'oauth2' || scheme.kind === 'openIdConnect';
  switch (auth.type) {
    case 'apiKey':
      return (
        scheme.kind === 'apiKey' &&
        scheme.location === 'header' &&
        scheme.name.toLowerCase() === (auth.name ?? 'X-API-Key').toLowerCase()
      );
    case 'http': {
      const isSame =
        scheme.kind === 'http' && scheme.scheme.toLowerCase() === auth.scheme.trim().toLowerCase();
      return isSame || (auth.scheme.trim().toLowerCase() === 'bearer' && isToken);
    }
    default:
      return isToken;
  }
}

function ownName(auth: RemoteAgentAuth): string {
  if (auth.type === 'apiKey') return `an API key in the header ${auth.name ?? 'X-API-Key'}`;
  return auth.type === 'http' ? `http (${auth.scheme})` : auth.type;
}

function nameOf(scheme: SecurityScheme): string {
  switch (scheme.kind) {
    case 'apiKey':
      return `an API key in the ${oneLine(scheme.location, 20)} ${oneLine(scheme.name, 60)}`;
    case 'http':
      return `http (${oneLine(scheme.scheme, 40)})`;
    case 'mutualTls':
      return 'a client certificate';
    default:
      return scheme.kind;
  }
}
