/** Problems of files as text for the user. */
import type { FileProblem } from '../types.js';

const MOST_SHOWN = 5;

/** One block per file: a line that names it, then its problems. */
export function formatProblems(problems: readonly FileProblem[], mostShown = MOST_SHOWN): string[] {
  const files = new Map<string, FileProblem[]>();
  for (const problem of problems) files.set(problem.file, [...(files.get(problem.file) ?? []), problem]);
  return [...files].map(([file, found]) => {
    // Guards that do not hold are all named.
    const least = new Set([...found.filter(({ guard }) => guard), ...found].slice(0, mostShown));
    const shown = found
      .filter((problem) => problem.guard || least.has(problem))
      .map((problem) => `  ${describeProblem(problem)}`);
    const left = found.length - shown.length;
    const rest = left > 0 ? [`  ...and ${left} more errors.`] : [];
    return [`Problems in ${file}:`, ...shown, ...rest].join('\n');
  });
}

/** Place, key and what is wrong, without the file. */
export function describeProblem({ line, keyPath, message, hint }: FileProblem): string {
  const where = [line === undefined ? '' : `line ${line}`, keyPath ?? ''].filter((part) => part !== '');
  const text = where.length > 0 ? `${where.join(', ')}: ${message}` : message;
  return [sentence(text), hint].filter((part) => part !== undefined).join(' ');
}

/** What ends the program, file by file. */
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
