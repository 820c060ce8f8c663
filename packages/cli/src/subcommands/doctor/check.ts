/** The interface of a doctor check, and helpers for its result. */
import type {
  Diagnostics,
  FileProblem,
  LoadedSettings,
  loadEnvFile,
  Redactor,
  TrustAnswer,
  TrustedFolders,
} from '@gemini-cli/core';

export type CheckStatus = 'ok' | 'warning' | 'error' | 'skipped';

export interface CheckResult {
  status: CheckStatus;
  /** The facts found; the first is the summary. */
  details: string[];
  /** Mistakes in files, with line and column. */
  problems: FileProblem[];
  /** What to do about it. */
  remedy?: string;
}

export interface Check {
  id: string;
  title: string;
  run(facts: Facts): CheckResult | Promise<CheckResult>;
}

/** Facts that several checks use. Gathering them changes nothing on disk. */
export interface Facts {
  version: string;
  cwd: string;
  home: string;
  /** With the variables of the `.env` file. */
  env: NodeJS.ProcessEnv;
  /** Send no request to another machine. */
  isOffline: boolean;
  engine: Diagnostics;
  /** Masks every known secret in the report. */
  redactor: Redactor;
  settings: LoadedSettings;
  folders: TrustedFolders;
  trust: TrustAnswer;
  envFile: ReturnType<typeof loadEnvFile>;
  /** The model that a prompt would be sent to. */
  model: string;
  /** Reads the keychain, which may be slow; only once. */
  auth(): ReturnType<Diagnostics['reportAuth']>;
}

export function ok(...details: string[]): CheckResult {
  return { status: 'ok', details, problems: [] };
}

export function skipped(detail: string): CheckResult {
  return { status: 'skipped', details: [detail], problems: [] };
}

export function warning(details: string[], remedy: string): CheckResult {
  return { status: 'warning', details, problems: [], remedy };
}

export function failure(details: string[], remedy: string): CheckResult {
  return { status: 'error', details, problems: [], remedy };
}

/** The status of the worst problem. */
export function statusOf(problems: readonly FileProblem[]): CheckStatus {
  if (problems.some(({ severity }) => severity !== 'warning')) return 'error';
  return problems.length > 0 ? 'warning' : 'ok';
}

/** Combines results: the worst status, all details, each remedy once. */
export function join(results: readonly CheckResult[]): CheckResult {
  const order: CheckStatus[] = ['ok', 'skipped', 'warning', 'error'];
  const worst = results.map(({ status }) => status).sort((a, b) => order.indexOf(b) - order.indexOf(a))[0];
  const remedies = results.flatMap(({ remedy }) => remedy ?? []);
  return {
    status: worst ?? 'ok',
    details: results.flatMap(({ details }) => details),
    problems: results.flatMap(({ problems }) => problems),
    ...(remedies.length > 0 && { remedy: [...new Set(remedies)].join(' ') }),
  };
}

export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}
