/** What of the caller's environment reaches the program: where models are, and their keys. */

/** Everything else, above all the home and the caller's own settings of the program, stays outside. */
const PASSED =
  /^(PATH|LANG|LC_\w+|TMPDIR|TZ|\w+_API_KEY|\w+_BASE_URL|OLLAMA_HOST|GOOGLE_\w+|GEMINI_SANDBOX|(https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+)$/i;

export function programEnvironment(from: NodeJS.ProcessEnv): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(from)) {
    if (value !== undefined && PASSED.test(name)) env[name] = value;
  }
  return env;
}
