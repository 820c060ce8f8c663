/** Sign-in: from the auth type to an object that adds credentials to requests. Each type is imported when used. */
import { systemClock } from '../../platform/clock.js';
import { SecretStore } from '../../platform/secrets/secret-store.js';
import { AuthHttp } from './auth-http.js';
import type { AuthType } from './auth-type.js';
import type { AuthContext, Authorizer } from './context.js';
import { GOOGLE_ENDPOINTS } from './endpoints.js';

export type AuthOptions = Pick<AuthContext, 'env' | 'prompts' | 'signal' | 'onSecret'> &
  Partial<Pick<AuthContext, 'endpoints' | 'http' | 'clock' | 'secrets'>>;

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
    http: options.http ?? new AuthHttp(options.env),
    clock: options.clock ?? systemClock,
    secrets: options.secrets ?? new SecretStore({ env: options.env }),
  };
}
