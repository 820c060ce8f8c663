/** API keys and HTTP authentication: values from the file, the environment or a command. */
import type { RemoteAgentAuth } from '../../types.js';
import { RemoteAgentError } from '../remote-agent-error.js';
import type { CredentialParts, Grant, GrantUse, RemoteCredentials } from './credentials.js';

type FixedAuth = Extract<RemoteAgentAuth, { type: 'apiKey' | 'http' }>;

const DEFAULT_KEY_HEADER = 'X-API-Key';

export class FixedCredentials implements RemoteCredentials {
  private resolved: Grant | undefined;

  constructor(
    private readonly auth: FixedAuth,
    private readonly parts: Pick<CredentialParts, 'values' | 'onSecret'>,
  ) {}

  async grant(_target: URL, { signal }: GrantUse): Promise<Grant> {
    this.resolved ??= { headers: await this.headers(signal) };
    return this.resolved;
  }

  refused(): void {
    this.resolved = undefined;
  }

  private async headers(signal: AbortSignal): Promise<Record<string, string>> {
    const { auth, parts } = this;
    const value = (field: string, text: string) => parts.values.resolve(field, text, signal);
    if (auth.type === 'apiKey') {
      const { name = DEFAULT_KEY_HEADER } = auth;
      if (!HEADER_NAME.test(name))
        throw new RemoteAgentError('auth', `auth.name: "${name}" is not a header name.`);
      return { [name.toLowerCase()]: line('key', await value('key', auth.key)) };
    }
    return { authorization: line('scheme', `${auth.scheme} ${await this.httpValue(auth, value)}`) };
  }

  private async httpValue(
    { scheme, value, token, username, password }: Extract<FixedAuth, { type: 'http' }>,
    resolve: (field: string, text: string) => Promise<string>,
  ): Promise<string> {
    if (value !== undefined) return resolve('value', value);
    if (token !== undefined) return resolve('token', token);
    if (username !== undefined && password !== undefined) {
      const pair = `${await resolve('username', username)}:${await resolve('password', password)}`;
      const encoded = Buffer.from(pair).toString('base64');
      this.parts.onSecret(encoded);
      return encoded;
    }
    throw new RemoteAgentError(
      'auth',
      `auth: the scheme ${scheme} needs a token, a value, or username and password.`,
    );
  }
}

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** A line break would begin another header. */
function line(field: string, value: string): string {
  if (/^[\t\x20-\x7e\x80-\xff]+$/.test(value)) return value;
  throw new RemoteAgentError('auth', `auth.${field}: the value has characters that a header cannot hold.`);
}
