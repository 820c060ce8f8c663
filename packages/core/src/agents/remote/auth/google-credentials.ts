/** Application default credentials, for agents on Google's own hosts only: elsewhere a token could be misused. */
import type { RemoteAgentAuth } from '../../types.js';
import { RemoteAgentError } from '../remote-agent-error.js';
import type { CredentialParts, Grant, GrantUse, RemoteCredentials } from './credentials.js';

export class GoogleCredentials implements RemoteCredentials {
  /** Services differ in how they write their own audience. */
  private withScheme = false;

  constructor(
    private readonly auth: Extract<RemoteAgentAuth, { type: 'google-credentials' }>,
    private readonly parts: Pick<CredentialParts, 'google'>,
  ) {}

  async grant({ protocol, hostname, origin }: URL, { signal }: GrantUse): Promise<Grant> {
    const { google } = this.parts;
    if (protocol === 'https:' && isBelow(hostname, 'googleapis.com')) {
      return { headers: await google.access(this.auth.scopes, signal) };
    }
    if (protocol === 'https:' && isBelow(hostname, 'run.app')) {
      const token = await google.identity(this.withScheme ? origin : hostname, signal);
      return { headers: { authorization: `Bearer ${token}` } };
    }
    throw new RemoteAgentError(
      'auth',
      `google-credentials are only sent to *.googleapis.com and *.run.app, not to ${hostname}.`,
    );
  }

  refused(): void {
    this.withScheme = !this.withScheme;
    this.parts.google.invalidate();
  }
}

function isBelow(hostname: string, domain: string): boolean {
  return hostname.endsWith(`.${domain}`);
}
