/** Vertex AI: with a key (express), or with project, location and the credentials of this machine. */
import { FatalAuthenticationError } from '../../base/errors.js';
import { keyFromEnvironment, staticAuthorizer } from './api-key.js';
import { ENV_HINT } from './auth-type.js';
import type { AuthContext, Authorizer } from './context.js';
import { projectFromEnvironment } from './project.js';

export async function createVertexAuthorizer(context: AuthContext): Promise<Authorizer> {
  const { env, onSecret } = context;
  requireVertexVariables(env);
  if (env['GOOGLE_API_KEY']?.trim()) {
    return staticAuthorizer('vertex-ai', () => {
      const key = keyFromEnvironment(env, 'GOOGLE_API_KEY') ?? '';
      onSecret?.(key);
      return { 'x-goog-api-key': key };
    });
  }
  const { createDefaultAuthorizer } = await import('./default-credentials.js');
  const machine = await createDefaultAuthorizer(context, {
    service: 'Vertex AI',
    otherwise: ', or set GOOGLE_API_KEY (express mode)',
  });
  return { ...machine, type: 'vertex-ai' };
}

/** @throws naming what is missing. */
export function requireVertexVariables(env: NodeJS.ProcessEnv): void {
  if (env['GOOGLE_API_KEY']?.trim()) return;
  const missing = [
    projectFromEnvironment(env) ? undefined : 'GOOGLE_CLOUD_PROJECT',
    env['GOOGLE_CLOUD_LOCATION']?.trim() ? undefined : 'GOOGLE_CLOUD_LOCATION',
  ].filter((name) => name !== undefined);
  if (missing.length === 0) return;
  throw new FatalAuthenticationError(
    'Vertex AI needs GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION, or GOOGLE_API_KEY (express mode). ' +
      `Not set: ${missing.join(', ')}. ${ENV_HINT}`,
  );
}
