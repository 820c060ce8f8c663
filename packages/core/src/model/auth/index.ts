/** Sign-in: from the auth type to an object that adds credentials to requests. Each type is imported when used. */
import { systemClock } from '../../platform/clock.js';
import type { ProxySource } from '../../platform/environment.js';
import { AuthHttp } from '../../platform/net/auth-http.js';
import { type OpenedStorage, SecretStore } from '../../platform/secrets/secret-store.js';
import type { AccessToken } from './access-token.js';
import type { AuthType } from './auth-type.js';
import type { AuthContext, Authorizer } from './context.js';
import { GOOGLE_ENDPOINTS } from './endpoints.js';
import type { Impersonation } from './impersonated-identity.js';

export type AuthOptions = Pick<AuthContext, 'env' | 'prompts' | 'signal' | 'onSecret' | 'scopes'> &
  Partial<Pick<AuthContext, 'endpoints' | 'http' | 'clock' | 'secrets'>> &
  /** `general.proxy` */
  Pick<ProxySource, 'proxy'> & {
    /** Called once, when it is known where saved secrets are kept. */
    onStorage?: (storage: OpenedStorage) => void;
  };

/** @throws FatalAuthenticationError when this type cannot be used. */
export async function createAuthorizer(type: AuthType, options: AuthOptions): Promise<Authorizer> {
  const context = toContext(options);
  switch (type) {
    case 'gemini-api-key': {
      const { createKeyAuthorizer } = await import('./api-key.js');
      return createKeyAuthorizer(context);
    }
    case 'gateway': {
      const { createGatewayAuthorizer } = await import('./api-key.js');
      return createGatewayAuthorizer(context);
    }
    case 'vertex-ai': {
      const { createVertexAuthorizer } = await import('./vertex.js');
      return createVertexAuthorizer(context);
    }
    case 'oauth-personal':
    case 'compute-default-credentials': {
      const { createGoogleAuthorizer } = await import('./google-oauth.js');
      return createGoogleAuthorizer(type, context);
    }
  }
}

/**
 * For services of Google Cloud other than models: application default credentials, or the sign-in of the program.
 * @throws FatalAuthenticationError when there are none
 */
export async function createCloudAuthorizer({
  useCliAuth,
  ...options
}: AuthOptions & { useCliAuth: boolean }): Promise<Authorizer> {
  const context = toContext(options);
  if (useCliAuth) {
    const { createGoogleAuthorizer } = await import('./google-oauth.js');
    return createGoogleAuthorizer('oauth-personal', context);
  }
  const { createDefaultAuthorizer } = await import('./default-credentials.js');
  return createDefaultAuthorizer(context);
}

/**
 * An identity token of the application default credentials, for services that check who calls (Cloud Run).
 * @throws FatalAuthenticationError when there are none
 */
export async function fetchIdentityToken(audience: string, options: AuthOptions): Promise<string> {
  const { identityToken } = await import('./identity-token.js');
  return identityToken(audience, toContext(options));
}

/**
 * An identity token of a service account, by way of the application default credentials.
 * @throws FatalAuthenticationError when there are none, or they may not act for the account
 */
export async function fetchImpersonatedIdentity(
  impersonation: Impersonation,
  options: AuthOptions,
): Promise<AccessToken> {
  const { impersonatedIdentity } = await import('./impersonated-identity.js');
  return impersonatedIdentity(impersonation, toContext(options));
}

/** A new Google sign-in, whatever is saved; needs `prompts`. Saves its tokens. */
export async function signIn(options: AuthOptions): Promise<void> {
  const { signInWithGoogle } = await import('./google-sign-in.js');
  await signInWithGoogle(toContext(options));
}

/** Removes tokens and the saved key from this machine. @throws naming what could not be removed. */
export async function signOut(options: AuthOptions): Promise<void> {
  const { forgetSignIn } = await import('./google-oauth.js');
  await forgetSignIn(toContext(options));
}

/** Fills in the real services. */
function toContext(options: AuthOptions): AuthContext {
  return {
    ...options,
    endpoints: options.endpoints ?? GOOGLE_ENDPOINTS,
    http: options.http ?? new AuthHttp({ variables: options.env, proxy: options.proxy }),
    clock: options.clock ?? systemClock,
    secrets: options.secrets ?? new SecretStore({ env: options.env, onOpened: options.onStorage }),
  };
}
