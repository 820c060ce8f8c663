/** Formats problems in settings files for the user. */
import type { FileProblem } from '../types.js';

const MAX_SHOWN = 5;

/** One block per file: a line that names it, then its problems. */
export function formatProblems(problems: readonly FileProblem[], maxShown = MAX_SHOWN): string[] {
  const files = new Map<string, FileProblem[]>();
  for (const problem of problems) files.set(problem.file, [...(files.get(problem.file) ?? []), problem]);
  return [...files].map(([file, found]) => {
    // Problems that weaken a restriction come first and are never cut from the list.
    const [guards, others] = [found.filter(({ guard }) => guard), found.filter(({ guard }) => !guard)];
    const shown = [...guards, ...others.slice(0, Math.max(0, maxShown - guards.length))];
    const left = found.length - shown.length;
    const rest = left > 0 ? [`  ...and ${left} more; gemini doctor lists all.`] : [];
    return [`Problems in ${file}:`, ...shown.map((problem) => `  ${describeProblem(problem)}`), ...rest].join(
      '\n',
    );
  });
}

/** Line, key and message, without the file. */
export function describeProblem({ line, keyPath, message, hint }: FileProblem): string {
  const where = [line === undefined ? '' : `line ${line}`, keyPath ?? ''].filter((part) => part !== '');
  const text = where.length > 0 ? `${where.join(', ')}: ${message}` : message;
  return [sentence(text), hint].filter((part) => part !== undefined).join(' ');
}

/** The message of a fatal error, file by file. */
export function fatalMessage(problems: readonly FileProblem[]): string {
  const lines = problems.map(({ file, line, column, keyPath, message }) => {
    const place = line === undefined ? '' : ` (line ${line}, column ${column ?? 1})`;
    const key = keyPath ? `${keyPath}: ` : '';
    return `Error in ${file}: ${key}${message.replace(/\.$/, '')}${place}.`;
  });
  const files = new Set(problems.map(({ file }) => file)).size;
  return [...lines, `Please correct the ${files > 1 ? 'files' : 'file'} and try again.`].join('\n');
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
