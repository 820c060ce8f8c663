/** Finds the redirections in a command line's text, for a warning. */

/** `> file`, `2>> file`, `< file`; not `2>&1` and `/dev/null`, which change no file. */
export function redirectionsIn(command: string): string[] {
  const found: string[] = [];
  let quote = '';
  for (let index = 0; index < command.length; index++) {
    const character = command[index] ?? '';
    if (character === '\\' && quote !== "'") index++;
    else if (quote) quote = character === quote ? '' : quote;
    else if (character === "'" || character === '"') quote = character;
    else if (character === '#' && /(^|\s)$/.test(command.slice(Math.max(0, index - 1), index))) {
      index = endOfLine(command, index);
    } else if (character === '>' || character === '<') {
      const match = /^(?:>>|>\||>&|<>|<<<|<<-?|[<>])(?!\()\s*(&?[^\s;&|<>()]*)/.exec(
        command.slice(index, index + 200),
      );
      if (!match) continue;
      const [text, target = ''] = match;
      index += text.length - 1;
      if (!HARMLESS.test(text)) found.push(target ? text.replace(/\s+/g, ' ') : text.trim());
    }
    if (found.length >= MAX_REPORTED) break;
  }
  return found;
}

const HARMLESS = /^(?:>&\s*(?:\d+|-)|>{1,2}\s*\/dev\/null)$/;
const MAX_REPORTED = 10;

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
