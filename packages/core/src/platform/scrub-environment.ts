/** Decides which variables of our environment a child process may see (safety.md §10). Pure. */

export interface EnvironmentRedaction {
  enabled: boolean;
  allowed?: readonly string[];
  blocked?: readonly string[];
  /** Drop whatever is not known to be harmless; forces redaction on. See {@link isStrictSurface}. */
  strict?: boolean;
}

/** Names are compared without regard to case; the first rule that speaks about a variable wins. */
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

/** On a shared build machine of GitHub secrets are everywhere: only known names pass. */
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
  if (SECRET_VALUES.some((pattern) => pattern.test(value))) return false;
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

/** Each is linear: values come from outside and may be long. */
const SECRET_VALUES: readonly RegExp[] = [
  /-----BEGIN (?:[A-Z0-9]+ ){0,3}(?:PRIVATE KEY|CERTIFICATE)/i,
  /\b[a-z][a-z0-9+.-]{0,31}:\/\/[^\s:@/]{0,256}:[^\s@/]{1,512}@/i,
  /\bgh[a-z]_[A-Za-z0-9_]{20,}/,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/,
  /\bAIzaSy[A-Za-z0-9_-]{33}/,
  /\bAKIA[A-Z0-9]{16}/,
  /\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}/,
  /\b[rsp]k_(?:live|test)_[A-Za-z0-9]{10,}/,
  /\bxox[a-z]-[A-Za-z0-9-]{10,}/,
];

const SECRET_WORDS: readonly string[] = [
  'TOKEN',
  'SECRET',
  'PASSWORD',
  'PASSWD',
  'KEY',
  'AUTH',
  'CREDENTIAL',
  'CREDS',
  'PRIVATE',
  'CERT',
];

const ALWAYS_KEPT = words(`
  PATH HOME LANG SHELL TMPDIR USER LOGNAME TERM COLORTERM SYSTEMROOT COMSPEC PATHEXT WINDIR TEMP TMP
  USERPROFILE SYSTEMDRIVE
  ADDITIONAL_CONTEXT AVAILABLE_LABELS BRANCH_NAME DESCRIPTION EVENT_NAME GITHUB_ENV IS_PULL_REQUEST
  ISSUES_TO_TRIAGE ISSUE_BODY ISSUE_NUMBER ISSUE_TITLE PULL_REQUEST_NUMBER REPOSITORY TITLE TRIGGERING_ACTOR`);

const ALWAYS_DROPPED = words(`
  CLIENT_ID DB_URI CONNECTION_STRING DATABASE_URL AWS_DEFAULT_REGION AZURE_CLIENT_ID AZURE_TENANT_ID
  SLACK_WEBHOOK_URL TWILIO_ACCOUNT_SID GOOGLE_CLOUD_PROJECT GOOGLE_CLOUD_ACCOUNT FIREBASE_PROJECT_ID`);

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
