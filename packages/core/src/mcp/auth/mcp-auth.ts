/** Credentials of all servers: the way in. Each kind is loaded when a server uses it. */
import { setMaxListeners } from 'node:events';
import type { AuthOptions } from '../../model/auth/index.js';
import type { Clock } from '../../platform/clock.js';
import type { Environment } from '../../platform/environment.js';
import { AuthHttp } from '../../platform/net/auth-http.js';
import { OAuthSignIn } from '../../platform/oauth/sign-in.js';
import type { OAuthPrompts } from '../../platform/oauth/types.js';
import { SecretStore } from '../../platform/secrets/secret-store.js';
import type { AuthProviderPort, McpSignIn, SignInState } from '../auth-port.js';
import { type AuthServer, addressOf, settingsError } from './auth-server.js';
import { type McpCredentials, type McpGrant, NO_GRANT } from './credentials.js';
import { DiscoveryHttp } from './guarded-discovery.js';
import type { OAuthCredentials, OAuthParts } from './oauth-credentials.js';
import { mcpStorage } from './storage.js';

export interface McpAuthParts {
  environment: Environment;
  clock: Clock;
  /** Undefined: the user cannot be asked now. */
  prompts: () => OAuthPrompts | undefined;
  /** A message for the user that stops nothing. */
  notify: (message: string) => void;
  onSecret: (secret: string) => void;
  /** Only tests replace Google's addresses. */
  google?: Pick<AuthOptions, 'endpoints' | 'http'>;
}

const CLIENT_NAME = 'Gemini CLI MCP Client';

export class McpAuth implements AuthProviderPort, McpSignIn {
  private readonly known = new Map<string, { key: string; credentials: Promise<McpCredentials> }>();
  private oauth: OAuthParts | undefined;
  private readonly closed = new AbortController();

  constructor(private readonly parts: McpAuthParts) {
    // Every server waits for it; Node would warn the user from the eleventh on.
    setMaxListeners(0, this.closed.signal);
  }

  /** What a request to the server carries. Empty: no credentials are known. */
  async grant(server: AuthServer): Promise<McpGrant> {
    const credentials = await this.credentialsOf(server);
    return credentials ? credentials.grant(this.closed.signal) : NO_GRANT;
  }

  async headers(server: AuthServer): Promise<Record<string, string>> {
    return (await this.grant(server)).headers;
  }

  async query(server: AuthServer): Promise<Record<string, string>> {
    return server.config.oauth?.tokenParamName ? ((await this.grant(server)).query ?? {}) : {};
  }

  /**
   * The server answered 401, or 403 because the token lacks a right.
   * @returns true when the request is worth another try
   */
  async onUnauthorized(server: AuthServer, wwwAuthenticate: string | undefined): Promise<boolean> {
    const credentials = await this.credentialsOf(server);
    return (await credentials?.refused(wwwAuthenticate, this.closed.signal)) ?? false;
  }

  /**
   * For `/mcp auth <server>`: a new sign-in, whatever is stored. Connect the server again afterwards.
   * @throws OAuthError; UserError for a server that has no sign-in
   */
  async authenticate(server: AuthServer, signal: AbortSignal): Promise<void> {
    const credentials = await this.oauthOf(server);
    if (!credentials) throw settingsError(server, 'there is no sign-in for this server.');
    await credentials.signIn(AbortSignal.any([signal, this.closed.signal]));
  }

  /** Undefined: there is no sign-in for this server. */
  async stateOf(server: AuthServer): Promise<SignInState | undefined> {
    return (await this.oauthOf(server))?.state();
  }

  close(): void {
    this.closed.abort(new Error('The session has ended.'));
    this.oauth?.http.close();
    this.oauth?.discovery.close();
  }

  private async oauthOf(server: AuthServer): Promise<OAuthCredentials | undefined> {
    const { authProviderType: kind = 'dynamic_discovery' } = server.config;
    if (kind !== 'dynamic_discovery') return undefined;
    return (await this.credentialsOf(server)) as OAuthCredentials | undefined;
  }

  /** Undefined: the server runs on this machine. */
  private credentialsOf(server: AuthServer): Promise<McpCredentials> | undefined {
    const address = addressOf(server);
    if (!address) return undefined;
    const key = JSON.stringify([address.href, server.config]);
    const known = this.known.get(server.name);
    if (known?.key === key) return known.credentials;
    const credentials = this.create(server, address);
    // It may be used only later.
    credentials.catch(() => {});
    this.known.set(server.name, { key, credentials });
    return credentials;
  }

  private async create(server: AuthServer, address: URL): Promise<McpCredentials> {
    switch (server.config.authProviderType ?? 'dynamic_discovery') {
      case 'google_credentials': {
        const { GoogleCredentials } = await import('./google-credentials.js');
        return new GoogleCredentials(server, address, this.googleOptions());
      }
      case 'service_account_impersonation': {
        const { ImpersonatedCredentials } = await import('./impersonated-credentials.js');
        return new ImpersonatedCredentials(server, address, this.googleOptions());
      }
      case 'dynamic_discovery': {
        const { OAuthCredentials } = await import('./oauth-credentials.js');
        return new OAuthCredentials(server, address, this.oauthParts());
      }
      default:
        throw settingsError(server, `authProviderType "${server.config.authProviderType}" is not known.`);
    }
  }

  private oauthParts(): OAuthParts {
    const { environment, clock, prompts, notify, onSecret } = this.parts;
    const env = { ...environment.variables };
    const http = this.oauth?.http ?? new AuthHttp(environment);
    this.oauth ??= {
      http,
      discovery: new DiscoveryHttp(environment),
      storage: mcpStorage(env, new SecretStore({ env })),
      signIn: new OAuthSignIn({ http, env, clock, prompts, clientName: CLIENT_NAME }),
      clock,
      prompts,
      notify,
      onSecret,
    };
    return this.oauth;
  }

  private googleOptions(): AuthOptions & { clock: Clock } {
    const { environment, clock, onSecret, google } = this.parts;
    return { env: { ...environment.variables }, proxy: environment.proxy, clock, onSecret, ...google };
  }
}
