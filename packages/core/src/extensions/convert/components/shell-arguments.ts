/** Puts `{{args}}` into a command line. The program quotes what it inserts, so quotes of the author end before it. */

const ARGS = '{{args}}';
type Quote = '"' | "'" | undefined;

/** @param command with `{{args}}` where the arguments belong, also inside quotes */
export function outsideQuotes(command: string): string {
  // Each `$(` begins a command of its own, with its own quotes.
  const quotes: Quote[] = [undefined];
  let written = '';
  for (let at = 0; at < command.length; at++) {
    const quote = quotes.at(-1);
    if (command.startsWith(ARGS, at)) {
      written += quote === undefined ? ARGS : `${quote}${ARGS}${quote}`;
      at += ARGS.length - 1;
      continue;
    }
    const char = command[at] as string;
    written += char;
    if (char === '\\' && quote !== "'") {
      written += command[++at] ?? '';
      continue;
    }
    if (char === '(' && command[at - 1] === '$' && quote !== "'") quotes.push(undefined);
    else if (char === ')' && quote === undefined && quotes.length > 1) quotes.pop();
    else if (char === quote) quotes[quotes.length - 1] = undefined;
    else if ((char === '"' || char === "'") && quote === undefined) quotes[quotes.length - 1] = char;
  }
  return written.replace(/(?:""|'')(?=\{\{args\}\})|(?<=\{\{args\}\})(?:""|'')/g, '');
}
