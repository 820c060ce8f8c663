/**
 * Requests for discovery. The addresses come from the server, which is not trusted: a server of the internet leads to no
 * address of this machine or its networks. Redirects are not followed.
 */

import type { ProxySource } from '../../platform/environment.js';
import { hostProblem } from '../../platform/net/address-guard.js';
import { AuthHttp, isLoopback } from '../../platform/net/auth-http.js';
import { NameCheck, type NameCheckOptions } from '../../platform/net/checked-lookup.js';
import { OAuthError } from '../../platform/oauth/oauth-error.js';
import type { OAuthServer } from '../../platform/oauth/types.js';
import { isLocal } from './auth-server.js';

export class DiscoveryHttp {
  private readonly open: AuthHttp;
  private readonly guarded: AuthHttp;
  private readonly names: NameCheck;

  /** @param names only tests replace how names are resolved */
  constructor(proxies: ProxySource, names: NameCheckOptions = {}) {
    this.names = new NameCheck(names);
    this.open = new AuthHttp(proxies);
    this.guarded = new AuthHttp(proxies, undefined, this.names.lookup);
  }

  /** For addresses that this server names. A server of a local network may lead to others there. */
  async for(server: URL): Promise<AuthHttp> {
    if (isLocal(server)) return this.open;
    const addresses = await this.names.resolve(server.hostname).catch(() => []);
    return this.names.refusalOf(server.hostname, addresses) ? this.open : this.guarded;
  }

  close(): void {
    this.open.close();
    this.guarded.close();
  }
}

/**
 * An address that the server named.
 * @throws OAuthError when it is not an address for secrets, or one of this machine or its networks
 */
export function allowedAddress(text: string, server: URL): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url)))) {
    throw new OAuthError('server', `${server.host} leads to ${shown(text)}, which is not an https address.`);
  }
  const problem = isLocal(server) || url.origin === server.origin ? undefined : hostProblem(url.hostname);
  if (!problem) return url;
  throw new OAuthError('server', `${server.host} leads to ${url.origin}, which is ${problem}.`);
}

export function requireAllowed(found: OAuthServer, server: URL): OAuthServer {
  for (const url of [found.authorizationUrl, found.tokenUrl, found.registrationUrl ?? found.tokenUrl]) {
    allowedAddress(url, server);
  }
  return found;
}

/** Text of the server, for one line of a message. */
function shown(text: string): string {
  return `"${text.replace(/[^\x21-\x7e]/g, '?').slice(0, 120)}"`;
}
