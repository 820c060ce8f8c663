/** Splits and quotes words of a POSIX shell line, without running or expanding anything. */

/** Undefined when a quote is not closed. */
export function shellWords(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote: '"' | "'" | undefined;
  for (let index = 0; index < line.length; index++) {
    const char = line.charAt(index);
    if (quote) {
      if (char === quote) quote = undefined;
      else if (char === '\\' && quote === '"' && /["\\$`]/.test(line.charAt(index + 1)))
        word += line.charAt(++index);
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + (char === '\\' ? line.charAt(++index) : char);
    }
  }
  if (quote) return undefined;
  return word === undefined ? words : [...words, word];
}

/** Quotes a word for a shell, if needed. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
