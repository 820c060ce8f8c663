/** An identity token of a service account, by way of the application default credentials. */
import type { AuthOptions } from '../../model/auth/index.js';
import { type AuthServer, requirePrivateWay, settingsError } from './auth-server.js';
import type { McpCredentials, McpGrant } from './credentials.js';
import { IdentityCache } from './identity-cache.js';

export class ImpersonatedCredentials implements McpCredentials {
  private readonly identity: IdentityCache;

  /** @throws UserError when the settings of the server are not enough */
  constructor(server: AuthServer, address: URL, options: AuthOptions & Required<Pick<AuthOptions, 'clock'>>) {
    const { url, httpUrl, targetAudience: audience, targetServiceAccount: serviceAccount } = server.config;
    if (!(url || httpUrl) || !audience || !serviceAccount) {
      const needed = '"url" or "httpUrl", "targetAudience" and "targetServiceAccount"';
      throw settingsError(server, `service_account_impersonation needs ${needed}.`);
    }
    requirePrivateWay(server, address);
    this.identity = new IdentityCache(options.clock, async (signal) => {
      const { fetchImpersonatedIdentity } = await import('../../model/auth/index.js');
      return fetchImpersonatedIdentity({ serviceAccount, audience }, { ...options, signal });
    });
  }

  async grant(signal: AbortSignal): Promise<McpGrant> {
    return { headers: { authorization: `Bearer ${await this.identity.get(signal)}` } };
  }

  async refused(): Promise<boolean> {
    this.identity.clear();
    return true;
  }
}
