/** Checks variables that change where requests go or how fast the program starts, and the `.env` file. */
import { existsSync } from 'node:fs';
import { type Check, type CheckResult, type Facts, failure, join, ok, statusOf, warning } from './check.js';

export const environment: Check = {
  id: 'environment',
  title: 'Environment',
  run(facts) {
    const { env } = facts;
    const result = join([dotEnv(facts), proxies(facts), ...addresses(env), ...files(env), startTime(env)]);
    return result.details.length > 0 ? result : ok('nothing unusual');
  },
};

function dotEnv({ envFile: { path, variables, refused, skipped, problems } }: Facts): CheckResult {
  const details = [
    ...(path
      ? [
          `${path} is in use and sets ${Object.keys(variables).join(', ') || 'nothing that is not set already'}`,
        ]
      : []),
    ...(refused.length > 0 ? [`${path} may not set ${refused.join(', ')}; these were ignored`] : []),
    ...skipped.map((file) => `ignored ${file.path}: ${file.reason}`),
  ];
  const isUnreadable = skipped.some(({ kind }) => kind === 'unreadable');
  const status = isUnreadable || refused.length > 0 ? 'warning' : statusOf(problems);
  const remedy = isUnreadable ? 'Make the file readable text, or remove it.' : undefined;
  return { status, details, problems, ...(remedy && { remedy }) };
}

const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];

function proxies({ env, settings }: Facts): CheckResult {
  const { proxy } = settings.merged.general ?? {};
  const named = PROXIES.filter((name) => env[name]).map((name) => [name, env[name]] as const);
  return join(
    [...named, ['general.proxy', proxy] as const].flatMap(([name, value]) => {
      if (!value) return [];
      const url = parse(value.includes('://') ? value : `http://${value}`);
      const isUsable = url?.hostname && (url.protocol === 'http:' || url.protocol === 'https:');
      if (isUsable) return [ok(`${name} is ${withoutCredentials(url)}`)];
      return [warning([`${name} is not an http or https address`], `Correct or unset ${name}.`)];
    }),
  );
}

const BASES = ['GOOGLE_GEMINI_BASE_URL', 'GOOGLE_VERTEX_BASE_URL', 'CODE_ASSIST_ENDPOINT'];

function addresses(env: NodeJS.ProcessEnv): CheckResult[] {
  return BASES.flatMap((name) => {
    const value = env[name]?.trim();
    if (!value) return [];
    const url = parse(value);
    if (!url) return [failure([`${name} is not a valid address`], `Correct or unset ${name}.`)];
    const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
    if (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)) {
      return [ok(`${name} is ${withoutCredentials(url)}`)];
    }
    return [
      failure(
        [`${name} is ${withoutCredentials(url)}, which is not encrypted`],
        `Use https in ${name}: over plain http your key could be read on the way.`,
      ),
    ];
  });
}

const FILES = [
  'GOOGLE_APPLICATION_CREDENTIALS',
  'NODE_EXTRA_CA_CERTS',
  'GEMINI_CLI_SYSTEM_SETTINGS_PATH',
  'GEMINI_CLI_SYSTEM_DEFAULTS_PATH',
];

function files(env: NodeJS.ProcessEnv): CheckResult[] {
  return FILES.flatMap((name) => {
    const path = env[name];
    if (!path || existsSync(path)) return [];
    return [warning([`${name} names ${path}, which does not exist`], `Correct or unset ${name}.`)];
  });
}

/** Node reads the certificates before the program starts. */
function startTime(env: NodeJS.ProcessEnv): CheckResult {
  const details = [];
  if (env['NODE_EXTRA_CA_CERTS']) {
    details.push('NODE_EXTRA_CA_CERTS is set: every start takes about 70 ms longer');
  }
  if (env['NODE_OPTIONS']) details.push(`NODE_OPTIONS is ${env['NODE_OPTIONS']}`);
  return ok(...details);
}

function parse(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}

function withoutCredentials(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`;
}
