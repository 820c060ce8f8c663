/** `authenticate`: checks that a method can be used, remembers it, and keeps what the client supplied for its sessions. */
import { type LoadedSettings, loadFrontEnd, openInBrowser, setting, type Variables } from '@gemini-cli/core';
import { AUTH_METHODS, CallerError, type Credentials, credentialsIn } from '@gemini-cli/sdk/acp/serve';
import { standardOutput } from '../output/output.js';

type FrontEnd = Awaited<ReturnType<typeof loadFrontEnd>>;
type AuthOptions = Parameters<FrontEnd['createAuthorizer']>[1];
type AuthType = Parameters<FrontEnd['createAuthorizer']>[0];

const SELECTED = 'security.auth.selectedType';

export class SignIns {
  /** Set for every session that is opened from now on. */
  variables: Record<string, string> = {};
  private methodId: string | undefined;

  /** @param on.variables those of the process. @throws CallerError, FatalAuthenticationError */
  async authenticate(
    methodId: string,
    meta: unknown,
    { settings, variables }: { settings: LoadedSettings; variables: Variables },
  ): Promise<void> {
    const method = AUTH_METHODS.find(({ id }) => id === methodId);
    if (!method)
      throw new CallerError(
        `There is no sign-in "${methodId}". Known: ${AUTH_METHODS.map(({ id }) => id).join(', ')}.`,
      );
    // A key is for its service alone, and so is a gateway: nothing of one sign-in may reach another.
    const kept = methodId === this.methodId ? this.variables : {};
    const supplied = { ...kept, ...variablesOf(credentialsIn(methodId, meta)) };
    const frontEnd = await loadFrontEnd();
    const env = { ...variables, ...supplied };
    const before = setting(settings.merged, SELECTED);
    // Credentials of the method before are forgotten, but for a saved key that is about to be used.
    const isSavedKey = methodId === 'gemini-api-key' && !env['GEMINI_API_KEY'];
    const forgets = before !== undefined && before !== methodId && !isSavedKey;
    const signsInAnew = methodId === 'oauth-personal';
    if (forgets && signsInAnew) await frontEnd.signOut({ env });
    await frontEnd.createAuthorizer(method.id as AuthType, { env, prompts: prompts(env) });
    if (forgets && !signsInAnew) await frontEnd.signOut({ env });
    this.variables = supplied;
    this.methodId = methodId;
    await settings.setValue('user', SELECTED, methodId);
  }
}

function variablesOf({ apiKey, baseUrl, headers = {} }: Credentials): Record<string, string> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return {
    ...(apiKey !== undefined && { GEMINI_API_KEY: apiKey }),
    ...(baseUrl !== undefined && { GOOGLE_GEMINI_BASE_URL: baseUrl }),
    ...(lines.length > 0 && { GEMINI_CLI_CUSTOM_HEADERS: lines.join(', ') }),
  };
}

/** The sign-in with Google opens a browser; its address is also on stderr, which clients log. */
function prompts(env: Variables): NonNullable<AuthOptions['prompts']> {
  return {
    confirm: async () => true,
    showUrl: (url) => standardOutput.stderr(`Open this address to sign in: ${url}`),
    openBrowser: (url) => openInBrowser(url, env),
    askCode: async () => undefined,
    warn: (message) => standardOutput.stderr(message),
  };
}
