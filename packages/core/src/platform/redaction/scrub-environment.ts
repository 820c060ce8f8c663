/** Decides which variables of our environment a child process may see (docs/secrets.md). Pure. */
import { looksSecret } from './redact-patterns.js';
import { SECRET_URL_NAMES, SECRET_WORDS } from './secret-patterns.js';

export interface EnvironmentRedaction {
  enabled: boolean;
  allowed?: readonly string[];
  blocked?: readonly string[];
  /** Keep only variables known to be harmless, even if not `enabled`. See {@link isStrictSurface}. */
  strict?: boolean;
}

/** Names are case-insensitive; the first rule that applies wins. */
export function scrubEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  { enabled, allowed = [], blocked = [], strict = false }: EnvironmentRedaction,
): Record<string, string> {
  const keepAll = !enabled && !strict;
  const lists = { allowed: upperSet(allowed), blocked: upperSet(blocked), strict };
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue;
    if (keepAll || isKept(name.toUpperCase(), value, lists)) kept[name] = value;
  }
  return kept;
}

/** On GitHub's build machines any variable may be a secret, so only known names pass. */
export function isStrictSurface(environment: Readonly<Record<string, string | undefined>>): boolean {
  return Boolean(environment['GITHUB_SHA']) || environment['SURFACE'] === 'Github';
}

interface Lists {
  allowed: ReadonlySet<string>;
  blocked: ReadonlySet<string>;
  strict: boolean;
}

function isKept(name: string, value: string, { allowed, blocked, strict }: Lists): boolean {
  if (name.startsWith('GEMINI_CLI_')) return true;
  if (looksSecret(value)) return false;
  if (name.startsWith('GIT_CONFIG_')) return true;
  if (allowed.has(name)) return true;
  if (blocked.has(name)) return false;
  if (ALWAYS_KEPT.has(name)) return true;
  if (ALWAYS_DROPPED.has(name)) return false;
  if (strict) return false;
  return !SECRET_WORDS.some((word) => name.includes(word));
}

function upperSet(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toUpperCase()));
}

const ALWAYS_KEPT = words(`
  PATH HOME LANG SHELL TMPDIR USER LOGNAME TERM COLORTERM SYSTEMROOT COMSPEC PATHEXT WINDIR TEMP TMP
  USERPROFILE SYSTEMDRIVE
  ADDITIONAL_CONTEXT AVAILABLE_LABELS BRANCH_NAME DESCRIPTION EVENT_NAME GITHUB_ENV IS_PULL_REQUEST
  ISSUES_TO_TRIAGE ISSUE_BODY ISSUE_NUMBER ISSUE_TITLE PULL_REQUEST_NUMBER REPOSITORY TITLE TRIGGERING_ACTOR`);

const ALWAYS_DROPPED = new Set([
  ...SECRET_URL_NAMES,
  ...words(`
  CLIENT_ID AWS_DEFAULT_REGION AZURE_CLIENT_ID AZURE_TENANT_ID TWILIO_ACCOUNT_SID GOOGLE_CLOUD_PROJECT
  GOOGLE_CLOUD_ACCOUNT FIREBASE_PROJECT_ID`),
]);

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
