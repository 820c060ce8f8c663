/** Application default credentials, for Google's own hosts only: elsewhere a token could be misused. */
import type { Authorizer } from '../../model/auth/context.js';
import type { AuthOptions } from '../../model/auth/index.js';
import { type AuthServer, requirePrivateWay, settingsError } from './auth-server.js';
import type { McpCredentials, McpGrant } from './credentials.js';
import { IdentityCache } from './identity-cache.js';

const ACCESS_HOSTS = ['googleapis.com', 'luci.app'];
const IDENTITY_HOST = 'run.app';
const QUOTA_HEADER = 'x-goog-user-project';

export class GoogleCredentials implements McpCredentials {
  private authorizer: Promise<Authorizer> | undefined;
  private readonly identity: IdentityCache;

  /** @throws UserError when the settings of the server are not enough */
  constructor(
    private readonly server: AuthServer,
    private readonly address: URL,
    private readonly options: AuthOptions & Required<Pick<AuthOptions, 'clock'>>,
  ) {
    this.identity = new IdentityCache(options.clock, async (signal) => {
      const { fetchIdentityToken } = await import('../../model/auth/index.js');
      return { token: await fetchIdentityToken(address.hostname, { ...options, signal }) };
    });
    requireGoogleHost(server, address);
    if (!server.config.oauth?.scopes?.length) {
      throw settingsError(server, 'google_credentials need "scopes" in "oauth".');
    }
  }

  async grant(signal: AbortSignal): Promise<McpGrant> {
    // Anyone can have a host there: it gets a token that only says who calls, and is of no use elsewhere.
    if (isBelow(this.address.hostname, IDENTITY_HOST)) {
      return { headers: { authorization: `Bearer ${await this.identity.get(signal)}` } };
    }
    const headers = await (await this.loaded()).headers();
    const isSet = Object.keys(this.server.config.headers ?? {}).some(
      (name) => name.toLowerCase() === QUOTA_HEADER,
    );
    const { [QUOTA_HEADER]: project, ...rest } = headers;
    return { headers: project && !isSet ? { ...rest, [QUOTA_HEADER]: project } : rest };
  }

  async refused(): Promise<boolean> {
    this.identity.clear();
    (await this.authorizer?.catch(() => undefined))?.invalidate();
    return true;
  }

  private loaded(): Promise<Authorizer> {
    const scopes = this.server.config.oauth?.scopes;
    this.authorizer ??= import('../../model/auth/index.js')
      .then(({ createCloudAuthorizer }) =>
        createCloudAuthorizer({ ...this.options, scopes, useCliAuth: false }),
      )
      .catch((error: unknown) => {
        this.authorizer = undefined;
        throw error;
      });
    return this.authorizer;
  }
}

function requireGoogleHost(server: AuthServer, address: URL): void {
  const { hostname } = address;
  const isGoogle =
    hostname === 'luci.app' || [...ACCESS_HOSTS, IDENTITY_HOST].some((domain) => isBelow(hostname, domain));
  if (!isGoogle) {
    throw settingsError(
      server,
      `google_credentials are only sent to *.googleapis.com, *.luci.app and *.run.app, not to ${hostname}.`,
    );
  }
  requirePrivateWay(server, address);
}

function isBelow(hostname: string, domain: string): boolean {
  return hostname.endsWith(`.${domain}`);
}
