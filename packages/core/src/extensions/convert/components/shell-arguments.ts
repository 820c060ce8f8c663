/** Puts `{{args}}` into a command line. The program quotes what it inserts, so quotes of the author end before it. */

const ARGS = '{{args}}';
/** No author writes a longer line; some tests take time with the square of the length. */
const MAX_LENGTH = 10_000;
/** In `$'…'` a backslash escapes a quote. */
type Quote = '"' | "'" | "$'" | undefined;

/**
 * @param command with `{{args}}` where the arguments belong, also inside quotes
 * @returns undefined: no quotes protect what is inserted in backticks, here-documents, comments, arithmetic, `${x:-…}`
 *   and behind a `$`
 */
export function outsideQuotes(command: string): string | undefined {
  if (!command.includes(ARGS)) return command;
  if (command.length > MAX_LENGTH) return undefined;
  if (/`|<<(?!<)|\(\(|\$\[/.test(command.replaceAll('<<<', '')) || isInExpansion(command)) return undefined;
  // Each `(` begins a command of its own, with its own quotes.
  const quotes: Quote[] = [undefined];
  let written = '';
  /** Where the text of the open quote begins. */
  let begin = -1;
  const open = (quote: string) => {
    quotes[quotes.length - 1] = quote as Quote;
    written += quote;
    begin = written.length;
  };
  for (let at = 0; at < command.length; at++) {
    const quote = quotes.at(-1);
    const close = quote?.at(-1);
    const char = command[at] as string;
    if (command.startsWith(ARGS, at)) {
      at += ARGS.length - 1;
      if (quote === undefined || close === undefined) {
        if (written.endsWith('$')) return undefined;
        written += ARGS;
      } else {
        // No empty pair of quotes is left on either side.
        const before = begin === written.length ? written.slice(0, -quote.length) : written + close;
        // `$"…"` would leave a `$` before the quotes of the program: `$'…'` reads escapes.
        if (before.endsWith('$')) return undefined;
        written = before + ARGS;
        if (command[at + 1] !== close) open(quote);
        else {
          quotes[quotes.length - 1] = undefined;
          at++;
        }
      }
    } else if (char === '\\' && quote !== "'") {
      written += char + (command[++at] ?? '');
    } else if (quote === undefined && char === '#' && /(?:^|[\s;&|(])$/.test(command.slice(0, at))) {
      const [comment = ''] = /^.*/.exec(command.slice(at)) ?? [];
      if (comment.includes(ARGS)) return undefined;
      written += comment;
      at += comment.length - 1;
    } else if (quote === undefined && (char === '"' || char === "'")) {
      open(char);
    } else if (quote === undefined && command.startsWith("$'", at)) {
      open("$'");
      at++;
    } else {
      written += char;
      if (char === close) quotes[quotes.length - 1] = undefined;
      else if (char === '(' && (quote === undefined || (quote === '"' && command[at - 1] === '$')))
        quotes.push(undefined);
      else if (char === ')' && quote === undefined && quotes.length > 1) quotes.pop();
    }
  }
  return written;
}

/** Whether arguments stand in `${x:-…}`, or in one that is nested in it. */
function isInExpansion(command: string): boolean {
  const mark = '\0';
  let text = command.replaceAll(ARGS, mark);
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(/\$\{[^{}\0]*\}/g, '');
  }
  const open = text.indexOf('${');
  return open >= 0 && text.lastIndexOf(mark) > open;
}
