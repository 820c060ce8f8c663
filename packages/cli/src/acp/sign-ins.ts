/** `authenticate`: checks that a method can be used, remembers it, and keeps what the client supplied for its sessions. */
import {
  isObject,
  type LoadedSettings,
  loadFrontEnd,
  openInBrowser,
  setting,
  type Variables,
} from '@gemini-cli/core';
import { AUTH_METHODS, CallerError } from '@gemini-cli/sdk/acp';
import { standardOutput } from '../output/output.js';

type FrontEnd = Awaited<ReturnType<typeof loadFrontEnd>>;
type AuthOptions = Parameters<FrontEnd['createAuthorizer']>[1];
type AuthType = Parameters<FrontEnd['createAuthorizer']>[0];

const SELECTED = 'security.auth.selectedType';

export class SignIns {
  /** Set for every session that is opened from now on. */
  variables: Record<string, string> = {};

  /** @throws CallerError, FatalAuthenticationError */
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
    const supplied = suppliedBy(methodId, meta);
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
    this.variables = { ...this.variables, ...supplied };
    await settings.setValue('user', SELECTED, methodId);
  }
}

function suppliedBy(methodId: string, meta: unknown): Record<string, string> {
  if (meta === undefined) return {};
  if (!isObject(meta)) throw new CallerError('_meta must be an object.');
  if (methodId === 'gemini-api-key') return keyOf(meta['api-key']);
  return methodId === 'gateway' ? gatewayOf(meta['gateway']) : {};
}

function keyOf(key: unknown): Record<string, string> {
  if (key === undefined) return {};
  if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key.trim()))
    throw new CallerError('_meta["api-key"] must be a key: a string of visible ASCII characters.');
  return { GEMINI_API_KEY: key.trim() };
}

function gatewayOf(gateway: unknown): Record<string, string> {
  if (gateway === undefined) return {};
  if (!isObject(gateway)) throw new CallerError('_meta.gateway must be an object {baseUrl?, headers?}.');
  const { baseUrl, headers } = gateway;
  const isUrl = typeof baseUrl === 'string' && /^https?:/i.test(baseUrl) && URL.canParse(baseUrl);
  if (baseUrl !== undefined && !isUrl)
    throw new CallerError('_meta.gateway.baseUrl must be an http(s) address.');
  if (headers !== undefined && !isObject(headers))
    throw new CallerError('_meta.gateway.headers must be an object of strings.');
  const lines = Object.entries(headers ?? {}).map(([name, value]) => headerLine(name, value));
  return {
    ...(typeof baseUrl === 'string' && { GOOGLE_GEMINI_BASE_URL: baseUrl }),
    ...(lines.length > 0 && { GEMINI_CLI_CUSTOM_HEADERS: lines.join(', ') }),
  };
}

/** In the one variable that holds all headers, a value must not look like the next header. */
function headerLine(name: string, value: unknown): string {
  const isName = /^[\w!#$%&'*+.^`|~-]+$/.test(name);
  if (!isName || typeof value !== 'string' || /[\u0000-\u001f\u007f]|,\s*[^,:\s]+\s*:/.test(value))
    throw new CallerError(`_meta.gateway.headers: "${name}" cannot be sent as a header.`);
  return `${name}: ${value}`;
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
