/** Environment of the whole program in bubblewrap: what looks secret stays outside, except what the program needs. */
import { scrubEnvironment } from '../../redaction/scrub-environment.js';
import { SOCKET_VARIABLES } from '../paths/hidden-paths.js';
import { extraVariables } from './container-env.js';
import { definedVariables, type WholeProcessSources } from './whole-process.js';

/** Our own settings, sign-in at Google, and how to reach a model; an address or proxy may contain a password. */
const NEEDED = [
  /^GEMINI_|^OAUTH_CALLBACK_/,
  /^GOOGLE_(?:API_KEY|APPLICATION_CREDENTIALS|CLOUD_ACCESS_TOKEN|CLOUD_PROJECT)$/,
  /_BASE_URL$|^OLLAMA_HOST$|^CODE_ASSIST_ENDPOINT$|^(?:HTTPS?|ALL)_PROXY$/,
  /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR)$/,
  // Not secret, though the names contain "AUTH".
  /^GIT_AUTHOR_/,
];

export function bubblewrapVariables({
  env,
  keyVariables,
}: Pick<WholeProcessSources, 'env' | 'keyVariables'>): Record<string, string> {
  const isNeeded = (name: string) =>
    keyVariables.includes(name) || NEEDED.some((pattern) => pattern.test(name.toUpperCase()));
  const harmless = scrubEnvironment(env, { enabled: true });
  const kept = Object.entries(definedVariables(env)).filter(
    ([name]) => !SOCKET_VARIABLES.includes(name) && (name in harmless || isNeeded(name)),
  );
  const temporary = { TMPDIR: '/tmp', TMP: '/tmp', TEMP: '/tmp' };
  return {
    ...Object.fromEntries(kept),
    ...temporary,
    ...extraVariables(env['SANDBOX_ENV']),
    SANDBOX: 'bwrap',
  };
}
