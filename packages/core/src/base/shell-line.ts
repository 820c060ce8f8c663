/**
 * Parses simple command lines synchronously, to show their programs to the user. Anything uncertain (substitutions,
 * compound commands, open quotes) is an error here. Policy uses the real grammar (`policy/shell/`), never this.
 */

export interface CommandDetail {
  /** Name of the program. */
  name: string;
  /** Text of the command. */
  text: string;
}

export interface ParsedCommandDetails {
  details: CommandDetail[];
  /** The line may run programs that `details` does not list. */
  hasError: boolean;
}

/** Null: the line is empty. */
export function parseCommandDetails(line: string): ParsedCommandDetails | null {
  if (line.trim() === '') return null;
  const pieces = splitCommands(line);
  if (!pieces) return { details: [], hasError: true };
  const details = pieces.map((text) => ({ name: programOf(text), text }));
  const hasError = details.some(({ name }) => !isPlainProgram(name));
  return { details: hasError ? [] : details, hasError };
}

/** Names of the programs that a line starts, in order; empty when uncertain. */
export function getCommandRoots(line: string): string[] {
  return parseCommandDetails(line)?.details.map(({ name }) => name) ?? [];
}

/** The script of `bash -c '…'` and similar; any other line unchanged. */
export function stripShellWrapper(line: string): string {
  const script = /^\s*(?:(?:\/usr)?\/bin\/)?(?:ba|da|k|z)?sh\s+-l?c\s+(\S.*)$/s.exec(line)?.[1]?.trim();
  if (script === undefined) return line;
  const single = /^'([^']*)'$/.exec(script)?.[1];
  const double = /^"((?:[^"\\$`]|\\.)*)"$/s.exec(script)?.[1]?.replace(/\\(["\\$`])/g, '$1');
  // Without quotes, only the first word is the script.
  return single ?? double ?? line;
}

const QUOTED = /'[^']*'|"(?:[^"\\$`]|\\.)*"|\\./sy;
const SEPARATOR = /&&|\|\||[;|&\n]/y;
/** Substitutions, subshells and redirections, which may contain commands. */
const UNCERTAIN = /[`$(){}<>#'"\\]/;

/** The commands of a line; undefined when uncertain. */
function splitCommands(line: string): string[] | undefined {
  const commands: string[] = [];
  let start = 0;
  for (let at = 0; at < line.length; ) {
    const quoted = lengthAt(QUOTED, line, at);
    const separator = quoted === 0 ? lengthAt(SEPARATOR, line, at) : 0;
    if (separator > 0) {
      commands.push(line.slice(start, at).trim());
      start = at + separator;
    } else if (quoted === 0 && UNCERTAIN.test(line[at] ?? '')) return undefined;
    at += quoted || separator || 1;
  }
  commands.push(line.slice(start).trim());
  return commands.filter((command) => command !== '');
}

function lengthAt(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0].length ?? 0;
}

/** The first word after assignments. */
function programOf(command: string): string {
  const words = command.split(/\s+/);
  return words.find((word) => !/^\w+=/.test(word)) ?? '';
}

const RESERVED =
  /^(?:if|then|else|elif|fi|do|done|case|esac|while|until|for|in|function|select|time|coproc|!|\[\[)$/;

function isPlainProgram(name: string): boolean {
  return /^[\w./+@%:-]+$|^\[$/.test(name) && !RESERVED.test(name);
}
