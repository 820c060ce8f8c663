/** Output of a headless run: the result on stdout, everything else as lines on stderr. */
import { messageOf, QuietExit, routeError, UserError, type Variables } from '@gemini-cli/core';
import { isReaderGone, writeFully } from '../terminal/write-fd.js';
import { sanitizeLine } from './strip-ansi.js';

export type Severity = 'INFO' | 'WARNING' | 'ERROR';

export interface Output {
  /** The result and nothing else. */
  stdout(text: string): void;
  /** One line, or several for a stack trace, without the final line end. */
  stderr(line: string): void;
}

/** The reader of stdout has closed it, which is a normal end. */
class StdoutClosedError extends QuietExit {
  override readonly name = 'StdoutClosedError';
  readonly exitCode = 0;
}

export const standardOutput: Output = {
  stdout(text) {
    try {
      writeFully(1, text);
    } catch (error) {
      if (isReaderGone(error)) throw new StdoutClosedError('stdout was closed', { cause: error });
      throw new UserError(`Cannot write the result: ${messageOf(error)}`, { cause: error });
    }
  },
  stderr(line) {
    try {
      writeFully(2, `${safeLine(line)}\n`);
    } catch {
      // stderr is closed; the result on stdout still counts.
    }
  },
};

export function notice(output: Output, severity: Severity, message: string): void {
  output.stderr(`[${severity}] ${oneLine(message)}`);
}

/** What a hook tells the user, or what is wrong with it. */
export function hookNotice(
  output: Output,
  { level, name, message }: { level: 'info' | 'warning' | 'error'; name: string; message: string },
): void {
  const severity = level === 'info' ? 'INFO' : level === 'warning' ? 'WARNING' : 'ERROR';
  notice(output, severity, `${name}: ${message}`);
}

/** Makes untrusted text safe in a line: it can neither start a new line nor overwrite this one. */
export function oneLine(text: string): string {
  return sanitizeLine(text)
    .replace(/\s*[\r\n]\s*/g, ' ')
    .trim();
}

/** Makes untrusted text of several lines safe; a lone CR would let a line overwrite its beginning. */
export function safeText(text: string): string {
  return sanitizeLine(text.replace(/\r\n?/g, '\n'));
}

const RED = '\u001b[31m';
const PLAIN = '\u001b[0m';

/** The last line of a failed run. */
export function errorLine(output: Output, message: string, env: Variables = process.env): void {
  const text = oneLine(message);
  output.stderr(env['NO_COLOR'] ? text : `${RED}${text}${PLAIN}`);
}

/** Reports the error that ended the program, unless it was reported before. @returns the exit code */
export function reportError(output: Output, error: unknown): number {
  const route = routeError(error, 'program');
  if (route.to === 'user') errorLine(output, route.message);
  return route.exitCode;
}

/** The last check before the terminal, for callers that did not clean a text. Only the red of errors may stay. */
export function safeLine(line: string): string {
  const isError = line.startsWith(RED) && line.endsWith(PLAIN);
  return isError ? `${RED}${sanitizeLine(line)}${PLAIN}` : sanitizeLine(line);
}
