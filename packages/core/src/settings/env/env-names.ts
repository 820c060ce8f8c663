/** Variables that a project's `.env` may never set, or that need a warning, even in a trusted folder. */

/**
 * Never taken from a project, trusted or not: they locate the user's own files and trust rules, make the programs
 * that we start load foreign code, or disable the hooks, or disable or open the sandbox, that the user asked for.
 */
const REFUSED = new Set([
  'GEMINI_CLI_HOME',
  'GEMINI_CLI_SYSTEM_SETTINGS_PATH',
  'GEMINI_CLI_SYSTEM_DEFAULTS_PATH',
  'GEMINI_CLI_TRUST_WORKSPACE',
  'GEMINI_CLI_TRUSTED_FOLDERS_PATH',
  // Disables folder trust.
  'GEMINI_CLI_INTEGRATION_TEST',
  // Says which hooks must not run.
  'GEMINI_CLI_HOOK_CHAIN',
  'NODE_OPTIONS',
  'HOME',
  'USERPROFILE',
  'PATH',
  'SHELL',
  'COMSPEC',
  'BASH_ENV',
  'ENV',
  'ZDOTDIR',
  'PROMPT_COMMAND',
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'LD_AUDIT',
  // Set, it says that the program already runs in a sandbox.
  'SANDBOX',
  'BUILD_SANDBOX',
  'SEATBELT_PROFILE',
  // Writable in the sandbox.
  'TMPDIR',
  'TMP',
  'TEMP',
]);
const REFUSED_PREFIXES = ['DYLD_', 'BASH_FUNC_', 'SANDBOX_', 'GEMINI_SANDBOX'];

/** Addresses of an IDE; only `.gemini/.env` may set them. */
export const ALWAYS_EXCLUDED = [
  'GEMINI_CLI_IDE_SERVER_STDIO_COMMAND',
  'GEMINI_CLI_IDE_SERVER_STDIO_ARGS',
] as const;

/** Windows ignores the case of names. */
export function isRefusedFromProject(name: string): boolean {
  const upper = name.toUpperCase();
  return REFUSED.has(upper) || REFUSED_PREFIXES.some((prefix) => upper.startsWith(prefix));
}

/** Variables that redirect the user's prompts, keys or connections, or weaken their protection. */
const REDIRECTS: readonly [RegExp, string][] = [
  [/_BASE_URL$|^CODE_ASSIST_ENDPOINT$|^OLLAMA_HOST$/, 'the address of the model service'],
  [/^(?:HTTPS?|ALL)_PROXY$/, 'the proxy'],
  [/^(?:NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED|SSL_CERT_FILE|SSL_CERT_DIR)$/, 'whom TLS trusts'],
  [
    /_API_KEY$|^GOOGLE_APPLICATION_CREDENTIALS$|^GOOGLE_CLOUD_ACCESS_TOKEN$|^GOOGLE_GENAI_USE_|_AUTH_TYPE$/,
    'sign-in',
  ],
  [/^GEMINI_CLI_CUSTOM_HEADERS$/, 'request headers'],
  [/^GEMINI_TELEMETRY_|^OTEL_|^OTLP_/, 'telemetry'],
  [/^GEMINI_SYSTEM_MD$|^GEMINI_PROMPT_/, 'the system prompt'],
  [/^GEMINI_CLI_IDE_/, 'the connection to the IDE'],
  [/^GIT_/, 'what git runs'],
];

/** Describes what a variable changes; undefined when it needs no warning. */
export function redirectedBy(name: string): string | undefined {
  const upper = name.toUpperCase();
  return REDIRECTS.find(([pattern]) => pattern.test(upper))?.[1];
}
