/** What the credentials of all remote agents share: the user's environment, sign-ins, stored tokens. */
import type { Clock } from '../../../platform/clock.js';
import type { Environment } from '../../../platform/environment.js';
import { AuthHttp } from '../../../platform/net/auth-http.js';
import { OAuthSignIn } from '../../../platform/oauth/sign-in.js';
import { OAuthTokenSource } from '../../../platform/oauth/token-source.js';
import { SecretTokenStorage, type TokenStorage } from '../../../platform/oauth/token-storage.js';
import type { OAuthPrompts } from '../../../platform/oauth/types.js';
import { SecretStore } from '../../../platform/secrets/secret-store.js';
import type { RemoteAgentDefinition } from '../../types.js';
import { RemoteAgentError } from '../remote-agent-error.js';
import type { CredentialParts, GoogleTokens } from './credentials.js';
import { DefaultGoogleTokens } from './google-tokens.js';
import { oauthRequest } from './oauth-request.js';
import { SecretValues } from './secret-values.js';

export interface SharedCredentials {
  environment: Environment;
  clock: Clock;
  /** Undefined: the user cannot be asked now. */
  prompts: () => OAuthPrompts | undefined;
  warn: (message: string) => void;
  onSecret: (secret: string) => void;
  /** Only tests replace them. */
  storage?: TokenStorage;
  google?: GoogleTokens;
}

const CLIENT_NAME = 'Gemini CLI';

export function credentialPartsFrom(
  shared: SharedCredentials,
): (definition: RemoteAgentDefinition) => CredentialParts {
  const { environment, clock, prompts, warn, onSecret } = shared;
  // A copy, since `NodeJS.ProcessEnv` is mutable.
  const env = { ...environment.variables };
  const http = new AuthHttp(environment);
  const storage = shared.storage ?? new SecretTokenStorage(new SecretStore({ env }), 'agent');
  const signIn = new OAuthSignIn({ http, env, clock, clientName: CLIENT_NAME, prompts });
  const google = shared.google ?? new DefaultGoogleTokens({ env, proxy: environment.proxy, clock, onSecret });
  return ({ name, auth, source }) => {
    const values = new SecretValues({ source, environment, onSecret });
    return {
      values,
      google,
      onSecret,
      oauth: async (origin, card) => {
        if (auth?.type !== 'oauth') throw new RemoteAgentError('auth', 'The agent has no oauth settings.');
        return new OAuthTokenSource({
          serverName: name,
          origin,
          request: (signal) => oauthRequest(name, auth, card(), { http, values }, signal),
          storage,
          signIn,
          http,
          clock,
          warn,
          onSecret,
        });
      },
    };
  };
}
