/** Where the Gemini API is and how we prove who we are, from the environment. */
import { FatalAuthenticationError, FatalConfigError } from '../../base/errors.js';
import { Storage } from '../../platform/storage.js';
import type { GeminiEndpoint } from './client.js';

const DEFAULT_BASE_URL = 'https://generativelanguage.googleapis.com';

export function endpointFromEnvironment(env: NodeJS.ProcessEnv, version: string): GeminiEndpoint {
  const key = env['GEMINI_API_KEY']?.trim() ?? '';
  const base = env['GOOGLE_GEMINI_BASE_URL']?.trim();
  // A gateway may hold the key itself; then ours is optional.
  if (!key && !base) throw missingCredentials(env);
  return {
    baseUrl: parseBaseUrl(base || DEFAULT_BASE_URL),
    apiVersion: env['GOOGLE_GENAI_API_VERSION']?.trim() || 'v1beta',
    headers: { ...authHeader(key, env), ...checkedCustomHeaders(env['GEMINI_CLI_CUSTOM_HEADERS']) },
    userAgent: `GeminiCLI/${version}`,
  };
}

/** What Node accepts as the value of a header. */
const HEADER_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

function authHeader(key: string, env: NodeJS.ProcessEnv): Record<string, string> {
  if (!HEADER_VALUE.test(key)) {
    throw new FatalAuthenticationError(
      'GEMINI_API_KEY holds characters that no key has (a line break, or letters beyond ASCII). Copy it again.',
    );
  }
  return env['GEMINI_API_KEY_AUTH_MECHANISM'] === 'bearer'
    ? { authorization: `Bearer ${key}` }
    : { 'x-goog-api-key': key };
}

/** `Name: value, Name2: value2`; a comma only separates when a name and a colon follow. */
export function customHeaders(text: string | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const item of (text ?? '').split(/,(?=\s*[^,:\s]+\s*:)/)) {
    const colon = item.indexOf(':');
    const name = item.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) headers[name] = item.slice(colon + 1).trim();
  }
  return headers;
}

function checkedCustomHeaders(text: string | undefined): Record<string, string> {
  const headers = customHeaders(text);
  const bad = Object.keys(headers).find((name) => !HEADER_VALUE.test(headers[name] ?? ''));
  if (bad === undefined) return headers;
  throw new FatalConfigError(`GEMINI_CLI_CUSTOM_HEADERS: the value of "${bad}" holds control characters.`);
}

function parseBaseUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch (cause) {
    throw new FatalConfigError(`GOOGLE_GEMINI_BASE_URL is not a valid address: "${text}".`, cause);
  }
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && local)) {
    throw new FatalConfigError(
      `GOOGLE_GEMINI_BASE_URL must use https unless it is on this machine, got "${url.protocol}//${url.host}".`,
    );
  }
  return url;
}

function missingCredentials(env: NodeJS.ProcessEnv): FatalAuthenticationError {
  const later = ['GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA'].find((name) => env[name] === 'true');
  if (later) {
    return new FatalAuthenticationError(
      `${later} is set, but that way of signing in is not available yet. Set GEMINI_API_KEY, or use --model offline.`,
    );
  }
  return new FatalAuthenticationError(
    'No way to sign in is configured. Set GEMINI_API_KEY (or GOOGLE_GENAI_USE_VERTEXAI or GOOGLE_GENAI_USE_GCA), ' +
      `or choose one in ${Storage.getUserSettingsPath()}. Without an account: --model offline, the built-in guide.`,
  );
}
