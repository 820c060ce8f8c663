/** Environment of the container that runs the whole program. None of it appears in `ps`. */
import { FatalSandboxError } from '../../../base/errors.js';
import { shadowedVirtualEnvironment } from './container-mounts.js';
import { PROXY_COMMAND_PORT, type WholeProcessSources } from './whole-process.js';

const PASSED = `
  GEMINI_API_KEY GOOGLE_API_KEY GOOGLE_GEMINI_BASE_URL GOOGLE_VERTEX_BASE_URL
  GOOGLE_GENAI_USE_VERTEXAI GOOGLE_GENAI_USE_GCA GOOGLE_CLOUD_PROJECT GOOGLE_CLOUD_LOCATION
  GOOGLE_APPLICATION_CREDENTIALS GEMINI_MODEL TERM COLORTERM TERM_PROGRAM NODE_OPTIONS
  GEMINI_CLI_WORKTREE_HANDLED GEMINI_CLI_TRUST_WORKSPACE GEMINI_CLI_IDE_PID GEMINI_CLI_IDE_SERVER_PORT
  GEMINI_CLI_IDE_WORKSPACE_PATH GEMINI_CLI_IDE_AUTH_TOKEN
`
  .trim()
  .split(/\s+/);

/** @param proxyHost host of the proxy of GEMINI_SANDBOX_PROXY_COMMAND, if there is one */
export function containerVariables(
  sources: WholeProcessSources,
  name: string,
  proxyHost: string | undefined,
): Record<string, string> {
  const { env, home } = sources;
  const virtualEnvironment = shadowedVirtualEnvironment(sources);
  return {
    ...Object.fromEntries(PASSED.flatMap((key) => (env[key] === undefined ? [] : [[key, env[key]]]))),
    ...(virtualEnvironment ? { VIRTUAL_ENV: virtualEnvironment } : {}),
    ...(proxyHost ? proxyVariables(proxyHost, env['NO_PROXY'] ?? env['no_proxy']) : {}),
    ...extraVariables(env['SANDBOX_ENV']),
    GEMINI_CLI_HOME: home,
    SANDBOX: name,
  };
}

export function proxyVariables(host: string, noProxy: string | undefined): Record<string, string> {
  const url = `http://${host}:${PROXY_COMMAND_PORT}`;
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];
  return {
    ...Object.fromEntries(names.map((name) => [name, url])),
    ...(noProxy === undefined ? {} : { NO_PROXY: noProxy, no_proxy: noProxy }),
  };
}

/** An env file has one line per variable; docker takes values with line breaks from its own environment. */
export function splitForEnvFile(variables: Readonly<Record<string, string>>): {
  text: string;
  inherited: Record<string, string>;
} {
  const entries = Object.entries(variables);
  const fits = ([, value]: [string, string]) => !/[\r\n]/.test(value);
  return {
    text: entries
      .filter(fits)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
    inherited: Object.fromEntries(entries.filter((entry) => !fits(entry))),
  };
}

/** `K=V,…` */
export function extraVariables(text = ''): Record<string, string> {
  const pairs = text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
    .map((item): [string, string] => {
      const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)=([\s\S]*)$/.exec(item) ?? [];
      if (name === undefined || value === undefined) {
        throw new FatalSandboxError(`SANDBOX_ENV: "${item.split('=')[0]}" is not NAME=value.`);
      }
      return [name, value];
    });
  return Object.fromEntries(pairs);
}
