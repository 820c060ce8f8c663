/** The variables of an agent: those of the process or of its options, with its sign-in. */
import type { GeminiCliAgentOptions } from './options.js';

type Variables = Record<string, string | undefined>;

const KEYS = {
  'vertex-ai': 'GOOGLE_API_KEY',
  gateway: 'GEMINI_API_KEY',
  'gemini-api-key': 'GEMINI_API_KEY',
} as const;

export function variablesOf({ env, auth, trust, debug }: GeminiCliAgentOptions, own: Variables): Variables {
  const variables: Variables = { ...(env ?? own) };
  // As the front end of a user would, for this agent alone.
  if (trust !== undefined) variables['GEMINI_CLI_TRUST_WORKSPACE'] = String(trust);
  if (debug) variables['DEBUG'] = 'true';
  if (!auth) return variables;
  const { type, apiKey, baseUrl, headers } = auth;
  if (apiKey !== undefined)
    variables[type in KEYS ? KEYS[type as keyof typeof KEYS] : 'GEMINI_API_KEY'] = apiKey;
  if (baseUrl !== undefined)
    variables[type === 'vertex-ai' ? 'GOOGLE_VERTEX_BASE_URL' : 'GOOGLE_GEMINI_BASE_URL'] = baseUrl;
  if (headers) {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    variables['GEMINI_CLI_CUSTOM_HEADERS'] = lines.join(', ');
  }
  return variables;
}
