/** What `gemini doctor --json` prints, for its tests. */
import type { RunResult } from './test-utils.js';

interface Problem {
  severity: string;
  file: string;
  line?: number;
  column?: number;
  keyPath?: string;
  message: string;
  hint?: string;
}

interface Check {
  id: string;
  title: string;
  status: string;
  details: string[];
  problems: Problem[];
  remedy?: string;
}

export function reportOf(run: RunResult): {
  version: string;
  fatal: number;
  checks: Check[];
  of(id: string): Check;
} {
  const report = JSON.parse(run.stdout);
  const of = (id: string) => {
    const found = report.checks.find((check: Check) => check.id === id);
    if (!found) throw new Error(`No check "${id}" in ${run.stdout}`);
    return found;
  };
  return { ...report, of };
}

export function problemsOf(run: RunResult): Problem[] {
  return reportOf(run).checks.flatMap(({ problems }) => problems);
}

export const JSON_OFFLINE = ['doctor', '--json', '--offline'];
