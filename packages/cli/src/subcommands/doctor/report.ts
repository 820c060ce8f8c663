/** Formats the report as text and as JSON. */
import type { FileProblem } from '@gemini-cli/core';
import { escapeControls } from '../../output/json-text.js';
import { sanitizeLine } from '../../output/strip-ansi.js';
import { type CheckResult, type CheckStatus, count } from './check.js';

export interface Answer extends CheckResult {
  id: string;
  title: string;
}

export interface DoctorReport {
  version: string;
  checks: Answer[];
  /** Number of checks with an error. */
  fatal: number;
}

const MARKS: Readonly<Record<CheckStatus, string>> = { ok: '✓', warning: '!', error: '✗', skipped: '-' };
const SEVERITY_MARKS: Readonly<Record<FileProblem['severity'], string>> = {
  warning: '!',
  error: '✗',
  fatal: '✗',
};
const TITLE_WIDTH = 13;

export function asJson(report: DoctorReport): string {
  return `${escapeControls(JSON.stringify(report, null, 2))}\n`;
}

export function asText({ checks }: DoctorReport): string {
  const lines = checks.flatMap(describe);
  return `${[...lines, '', verdict(checks)].map(sanitizeLine).join('\n')}\n`;
}

function describe({ title, status, details, problems, remedy }: Answer): string[] {
  const [summary = '', ...rest] = details;
  const indent = ' '.repeat(TITLE_WIDTH + 2);
  return [
    `${MARKS[status]} ${title.padEnd(TITLE_WIDTH)}${oneLine(summary)}`.trimEnd(),
    ...rest.map((detail) => `${indent}${oneLine(detail)}`),
    ...problems.flatMap((problem) => describeProblem(problem, indent)),
    ...(remedy ? [`${indent}→ ${oneLine(remedy)}`] : []),
  ];
}

/** `file:line:column`, which terminals turn into a link, then the problem and the hint. */
function describeProblem(
  { severity, file, line, column, keyPath, message, hint }: FileProblem,
  indent: string,
): string[] {
  const place = [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined);
  const text = [sentence(keyPath ? `${keyPath}: ${message}` : message), hint].filter(Boolean).join(' ');
  return [
    `${indent}${SEVERITY_MARKS[severity]} ${oneLine(place.join(':'))}`,
    `${indent}    ${oneLine(text)}`,
  ];
}

function verdict(checks: readonly Answer[]): string {
  const number = (status: CheckStatus) => checks.filter((check) => check.status === status).length;
  const [errors, warnings] = [number('error'), number('warning')];
  if (errors + warnings === 0) return 'No problems found.';
  return `${[errors && count(errors, 'error'), warnings && count(warnings, 'warning')].filter(Boolean).join(', ')}.`;
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** A file name with a line break must not look like a line of the report. */
function oneLine(text: string): string {
  return text.replace(/[\r\n\t]+/g, ' ');
}
