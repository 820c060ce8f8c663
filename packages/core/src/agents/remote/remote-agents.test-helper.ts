/** Remote agents as the program composes them, with a home of their own and no user. */
import { systemClock } from '../../platform/clock.js';
import { environmentOf } from '../../platform/environment.js';
import type { StoredTokens, TokenStorage } from '../../platform/oauth/token-storage.js';
import type { OAuthPrompts } from '../../platform/oauth/types.js';
import type { RemoteAgentDefinition } from '../types.js';
import { credentialPartsFrom } from './auth/credential-parts.js';
import type { GoogleTokens } from './auth/credentials.js';
import type { RemoteLimits } from './limits.js';
import { A2aRemoteAgents } from './remote-agents.js';

export interface RemoteRig {
  agents: A2aRemoteAgents;
  warnings: string[];
  secrets: string[];
  storage: MemoryTokens;
}

export interface RigOptions {
  env?: Record<string, string>;
  proxy?: string;
  limits?: Partial<RemoteLimits>;
  prompts?: OAuthPrompts;
  google?: GoogleTokens;
}

export function remoteRig({ env = {}, proxy, limits, prompts, google }: RigOptions = {}): RemoteRig {
  const environment = environmentOf({ HOME: '/nonexistent', PATH: '/usr/bin:/bin', ...env }, '/', proxy);
  const warnings: string[] = [];
  const secrets: string[] = [];
  const storage = new MemoryTokens();
  const agents = new A2aRemoteAgents({
    proxies: environment,
    clock: systemClock,
    warn: (message) => warnings.push(message),
    redact: (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text),
    limits,
    credentialParts: credentialPartsFrom({
      environment,
      clock: systemClock,
      prompts: () => prompts,
      warn: (message) => warnings.push(message),
      onSecret: (secret) => secrets.push(secret),
      storage,
      google,
    }),
  });
  return { agents, warnings, secrets, storage };
}

export function remoteAgent(rest: Partial<RemoteAgentDefinition> = {}): RemoteAgentDefinition {
  const source = { kind: 'user' as const };
  return { kind: 'remote', name: 'reviewer', description: 'My reviewer.', inputConfig: {}, source, ...rest };
}

class MemoryTokens implements TokenStorage {
  readonly all = new Map<string, StoredTokens>();
  async load(serverName: string, origin: string): Promise<StoredTokens | undefined> {
    return this.all.get(`${serverName}@${origin}`);
  }
  async save(stored: StoredTokens): Promise<void> {
    this.all.set(`${stored.serverName}@${stored.origin}`, stored);
  }
  async remove(serverName: string, origin: string): Promise<void> {
    this.all.delete(`${serverName}@${origin}`);
  }
}
