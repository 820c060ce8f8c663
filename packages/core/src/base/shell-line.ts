/**
 * Reads plain command lines at once, to name their programs to the user. What it cannot read for certain (substitutions,
 * compound commands, open quotes) is an error here; policy decides by the grammar (`policy/shell/`), never by this.
 */

export interface CommandDetail {
  /** The program. */
  name: string;
  /** The command as it stands in the line. */
  text: string;
}

export interface ParsedCommandDetails {
  details: CommandDetail[];
  /** The line may run more than `details` names. */
  hasError: boolean;
}

/** Null: there is no command in the line. */
export function parseCommandDetails(line: string): ParsedCommandDetails | null {
  if (line.trim() === '') return null;
  const pieces = splitCommands(line);
  if (!pieces) return { details: [], hasError: true };
  const details = pieces.map((text) => ({ name: programOf(text), text }));
  const hasError = details.some(({ name }) => !isPlainProgram(name));
  return { details: hasError ? [] : details, hasError };
}

/** Names of the programs a line starts, in order; empty where that cannot be told for certain. */
export function getCommandRoots(line: string): string[] {
  return parseCommandDetails(line)?.details.map(({ name }) => name) ?? [];
}

/** The script of `bash -c '…'` and its like; any other line as it is. */
export function stripShellWrapper(line: string): string {
  const script = /^\s*(?:(?:\/usr)?\/bin\/)?(?:ba|da|k|z)?sh\s+-l?c\s+(\S.*)$/s.exec(line)?.[1]?.trim();
  if (script === undefined) return line;
  const single = /^'([^']*)'$/.exec(script)?.[1];
  const double = /^"((?:[^"\\$`]|\\.)*)"$/s.exec(script)?.[1]?.replace(/\\(["\\$`])/g, '$1');
  // Without quotes only the first word would be the script.
  return single ?? double ?? line;
}

const QUOTED = /'[^']*'|"(?:[^"\\$`]|\\.)*"|\\./sy;
const SEPARATOR = /&&|\|\||[;|&\n]/y;
/** Substitutions, subshells and redirections, which may contain or hide commands. */
const UNCERTAIN = /[`$(){}<>#'"\\]/;

/** The commands of a line; undefined when it has what this reader does not know. */
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

/** The first word behind assignments. */
function programOf(command: string): string {
  const words = command.split(/\s+/);
  return words.find((word) => !/^\w+=/.test(word)) ?? '';
}

const RESERVED =
  /^(?:if|then|else|elif|fi|do|done|case|esac|while|until|for|in|function|select|time|coproc|!|\[\[)$/;

function isPlainProgram(name: string): boolean {
  return /^[\w./+@%:-]+$|^\[$/.test(name) && !RESERVED.test(name);
}
