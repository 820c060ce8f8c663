/**
 * The programs a command line starts, for DISPLAY in the confirmation dialog only. A quote-aware split
 * and no grammar: it does not look into substitutions, here-documents or `bash -c`. Nothing may be
 * allowed or denied by its answer.
 */

/** First words of all parts between `;`, `&&`, `||`, `|`, `&` and line ends, each once, in order. */
export function commandRoots(command: string): string[] {
  const roots = splitCommands(command).map(firstWord).filter(Boolean);
  return [...new Set(roots)];
}

function splitCommands(command: string): string[] {
  const parts: string[] = [];
  let part = '';
  let quote = '';
  for (let index = 0; index < command.length; index++) {
    const character = command.charAt(index);
    if (character === '\\' && quote !== "'") {
      part += character + command.charAt(++index);
    } else if (quote) {
      if (character === quote) quote = '';
      part += character;
    } else if (character === '"' || character === "'" || character === '`') {
      quote = character;
      part += character;
    } else if (character === '#' && /(?:^|\s)$/.test(part)) {
      while (index + 1 < command.length && command.charAt(index + 1) !== '\n') index++;
    } else if (isSeparator(character, part, command.charAt(index + 1))) {
      parts.push(part);
      part = '';
    } else {
      part += character;
    }
  }
  return [...parts, part];
}

/** The `&` of `2>&1` and `&>file` separates nothing. */
function isSeparator(character: string, before: string, next: string): boolean {
  if (character === '&') return !/[<>]$/.test(before) && next !== '>';
  return character === ';' || character === '|' || character === '\n';
}

const ASSIGNMENT = /^[A-Za-z_]\w*\+?=(?:"[^"]*"|'[^']*'|\S)*\s*/;
const LEADING = /^[\s({!]+/;
const KEYWORDS = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', 'time']);
const NO_COMMAND = new Set(['fi', 'done', 'esac', 'for', 'case', 'function', '}', ')']);

function firstWord(part: string): string {
  let rest = part.replace(LEADING, '');
  while (ASSIGNMENT.test(rest)) rest = rest.replace(ASSIGNMENT, '');
  const [word = ''] = /^(?:"[^"]*"|'[^']*'|\\.|[^\s"'<>()])+/.exec(rest) ?? [];
  if (KEYWORDS.has(word)) return firstWord(rest.slice(word.length));
  if (NO_COMMAND.has(word)) return '';
  return word.replace(/["']/g, '');
}
