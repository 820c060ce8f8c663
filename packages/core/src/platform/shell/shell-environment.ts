/** Builds the environment of a shell command, so that it opens no pager, editor or password prompt. */
import { isStrictSurface, scrubEnvironment } from '../redaction/scrub-environment.js';
import type { ShellSettings } from './shell-settings.js';

export interface ShellEnvironmentOptions {
  parent: Readonly<Record<string, string | undefined>>;
  settings: Pick<ShellSettings, 'pager' | 'environmentRedaction'>;
  /** Variables requested by the call; they cannot override the fixed ones. */
  extra?: Readonly<Record<string, string>>;
  isTrustedFolder: boolean;
}

export function shellEnvironment(options: ShellEnvironmentOptions): Record<string, string> {
  const { settings, extra, isTrustedFolder } = options;
  const environment = withoutSecrets(options);
  Object.assign(environment, extra, {
    GEMINI_CLI: '1',
    TERM: 'xterm-256color',
    PAGER: settings.pager,
    GIT_PAGER: settings.pager,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GH_PROMPT_DISABLED: '1',
    GCM_INTERACTIVE: 'never',
    DISPLAY: '',
    DBUS_SESSION_BUS_ADDRESS: '',
  });
  appendGitConfig(environment, isTrustedFolder ? TRUSTED_GIT : [...TRUSTED_GIT, ...UNTRUSTED_GIT]);
  return environment;
}

/** What every process gets that is started for a tool or a hook. */
export function withoutSecrets({
  parent,
  settings,
  isTrustedFolder,
}: Pick<ShellEnvironmentOptions, 'parent' | 'isTrustedFolder'> & {
  settings: Pick<ShellSettings, 'environmentRedaction'>;
}): Record<string, string> {
  const redaction = { ...settings.environmentRedaction, strict: isStrictSurface(parent) };
  const environment = scrubEnvironment(parent, redaction);
  if (!isTrustedFolder) dropOwnCredentials(environment, redaction.allowed);
  return environment;
}

/** Replaces a diff program configured by the project; git fails if it is empty. */
const PLAIN_DIFF =
  'sh -c \'printf "diff --git a/%s b/%s\\n" "$1" "$1"; ' +
  'diff -u --label "a/$1" --label "b/$1" -- "$2" "$5"; :\' diff';

const TRUSTED_GIT: readonly (readonly [string, string])[] = [
  ['core.pager', 'cat'],
  ['core.editor', ''],
  ['sequence.editor', ''],
  ['credential.helper', ''],
  ['core.fsmonitor', ''],
  // Otherwise a folder that looks like a bare repository could bring its own git settings.
  ['safe.bareRepository', 'explicit'],
];

/**
 * Programs that a project's `.git/config` could make git run. The user's own settings of these are
 * respected where the folder is trusted. An empty `core.sshCommand` or `diff.external` does not mean
 * "none" to git: it breaks `git fetch` over ssh and `git diff`.
 */
const UNTRUSTED_GIT: readonly (readonly [string, string])[] = [
  ['core.sshCommand', 'ssh'],
  ['diff.external', PLAIN_DIFF],
  ['core.hooksPath', ''],
];

function appendGitConfig(
  environment: Record<string, string>,
  entries: readonly (readonly [string, string])[],
): void {
  const given = environment['GIT_CONFIG_COUNT'] ?? '';
  let count = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  for (const [key, value] of entries) {
    environment[`GIT_CONFIG_KEY_${count}`] = key;
    environment[`GIT_CONFIG_VALUE_${count}`] = value;
    count++;
  }
  environment['GIT_CONFIG_COUNT'] = String(count);
}

const OWN_CREDENTIALS = new Set(['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GEMINI_CLI_IDE_AUTH_TOKEN']);

/** Commands in an untrusted folder get neither the API keys of this program nor the token of the editor. */
function dropOwnCredentials(environment: Record<string, string>, allowed: readonly string[]): void {
  const wanted = new Set(allowed.map((name) => name.toUpperCase()));
  for (const name of Object.keys(environment)) {
    const upper = name.toUpperCase();
    if (OWN_CREDENTIALS.has(upper) && !wanted.has(upper)) delete environment[name];
  }
}
