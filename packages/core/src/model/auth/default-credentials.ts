/** Application default credentials: the configured file, that of gcloud, or those of the machine. */
import { FatalAuthenticationError } from '../../base/errors.js';
import type { AuthContext, Authorizer } from './context.js';
import { createCredentialFileAuthorizer, credentialFilePath } from './credential-file.js';

/** Words of the error: who needs them, and what else the user can do. */
interface Purpose {
  service: string;
  otherwise?: string;
}

/** @throws FatalAuthenticationError when there are none */
export async function createDefaultAuthorizer(
  context: AuthContext,
  { service, otherwise = '' }: Purpose = { service: 'Google Cloud' },
): Promise<Authorizer> {
  if (credentialFilePath(context.env))
    return createCredentialFileAuthorizer('compute-default-credentials', context);
  const { createComputeAuthorizer } = await import('./compute.js');
  try {
    return await createComputeAuthorizer(context);
  } catch (error) {
    if (!(error instanceof FatalAuthenticationError)) throw error;
    throw new FatalAuthenticationError(
      `${service}: there are no application default credentials. Run "gcloud auth application-default login"` +
        `${otherwise ? ',' : ', or'} set GOOGLE_APPLICATION_CREDENTIALS to a service account file${otherwise}.`,
      error,
    );
  }
}
