/** Identity tokens of application default credentials: they say who calls, and are valid for one audience. */
import { FatalAuthenticationError, messageOf } from '../../base/errors.js';
import type { AuthContext } from './context.js';
import {
  assertionGrant,
  type CredentialFile,
  CredentialProblem,
  credentialFilePath,
  readCredentialFile,
  required,
  requireGoogleAddresses,
} from './credential-file.js';

const METADATA_PATH = '/computeMetadata/v1/instance/service-accounts/default/identity';
const METADATA_TIMEOUT_MS = 3_000;

/** @throws FatalAuthenticationError when these credentials give none */
export async function identityToken(audience: string, context: AuthContext): Promise<string> {
  const path = credentialFilePath(context.env);
  const token = path
    ? await fromFile(readCredentialFile(path, context.env), path, audience, context)
    : await fromMachine(audience, context);
  context.onSecret?.(token);
  return token;
}

async function fromFile(
  file: CredentialFile,
  path: string,
  audience: string,
  context: AuthContext,
): Promise<string> {
  try {
    switch (file['type']) {
      case 'service_account':
        return await askIdentity(await assertionGrant(file, { target_audience: audience }, context), context);
      case 'authorized_user':
        return await askIdentity(
          {
            grant_type: 'refresh_token',
            client_id: required(file, 'client_id'),
            client_secret: required(file, 'client_secret'),
            refresh_token: required(file, 'refresh_token'),
            target_audience: audience,
          },
          context,
        );
      default:
        return await fromLibrary(file, audience);
    }
  } catch (error) {
    context.signal?.throwIfAborted();
    if (!(error instanceof CredentialProblem)) throw error;
    throw new FatalAuthenticationError(`The credentials in ${path} do not work: ${error.message}.`, error);
  }
}

async function askIdentity(
  form: Record<string, string>,
  { http, endpoints, signal }: AuthContext,
): Promise<string> {
  const { status, body } = await http.send({ method: 'POST', url: endpoints.token, form, signal });
  const token = body['id_token'];
  if (typeof token === 'string' && token !== '') return token;
  const { error = `HTTP ${status}` } = body;
  throw new CredentialProblem(`no identity token came back (${String(error).slice(0, 100)})`);
}

async function fromLibrary(file: CredentialFile, audience: string): Promise<string> {
  requireGoogleAddresses(file);
  // A CommonJS package: the bundle has only its default export.
  const { GoogleAuth } = (await import('google-auth-library')).default;
  try {
    const client = new GoogleAuth().fromJSON(file);
    if (!('fetchIdToken' in client) || typeof client.fetchIdToken !== 'function') {
      throw new CredentialProblem(`credentials of the type "${file['type']}" give no identity token`);
    }
    return String(await client.fetchIdToken(audience));
  } catch (error) {
    // Not as a cause: the library's errors hold the whole request, secrets included.
    throw error instanceof CredentialProblem ? error : new CredentialProblem(messageOf(error));
  }
}

/** All addresses at once: the wrong ones may never answer. */
async function fromMachine(audience: string, context: AuthContext): Promise<string> {
  const { http, endpoints } = context;
  const done = new AbortController();
  const signal = context.signal ? AbortSignal.any([context.signal, done.signal]) : done.signal;
  const ask = async (server: string) => {
    const url = new URL(METADATA_PATH, server);
    url.search = new URLSearchParams({ audience, format: 'full' }).toString();
    const headers = { 'metadata-flavor': 'Google' };
    const request = {
      method: 'GET',
      url,
      headers,
      timeoutMs: METADATA_TIMEOUT_MS,
      signal,
      plain: true,
    } as const;
    const response = await http.send(request);
    const isGoogle = response.headers['metadata-flavor'] === 'Google' && response.status === 200;
    if (!isGoogle || !response.text) throw new CredentialProblem(`HTTP ${response.status}`);
    return response.text.trim();
  };
  try {
    return await Promise.any(endpoints.metadata.map(ask));
  } catch {
    context.signal?.throwIfAborted();
    throw new FatalAuthenticationError(
      'There are no application default credentials. Run "gcloud auth application-default login", or set ' +
        'GOOGLE_APPLICATION_CREDENTIALS to a service account file.',
    );
  } finally {
    done.abort();
  }
}
