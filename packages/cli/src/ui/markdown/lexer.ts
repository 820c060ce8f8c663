/**
 * The lexer of marked. Some of its expressions ask for every punctuation of Unicode; to compile them takes longer than to
 * read an answer. Text of plain ASCII gets the same expressions for plain ASCII.
 */
import { Lexer, type Token, Tokenizer } from 'marked';

type Rules = Tokenizer['rules'];

export function lexMarkdown(source: string): Token[] {
  const tokenizer = new Tokenizer();
  // The lexer fills in the rules.
  const lexer = new Lexer({ gfm: true, tokenizer });
  if (/^[\x00-\x7f]*$/.test(source)) tokenizer.rules = asciiRules(tokenizer.rules);
  return lexer.lex(source);
}

/** Before the first answer, when there is time: its first lines would wait for expressions that are compiled. */
export function warmUpLexer(): void {
  lexMarkdown('# A\n\nb **c** `d` *e* [f](g)\nh\n\n1. i\n2. j\n\n| k |\n|---|\n| l |\n');
}

let ascii: Rules | undefined;

function asciiRules(rules: Rules): Rules {
  ascii ??= { ...rules, inline: plain(rules.inline), other: plain(rules.other) };
  return ascii;
}

/** Letters and punctuation of ASCII are the same ones with and without Unicode. */
function plain<T extends object>(rules: T): T {
  const entries = Object.entries(rules).map(([name, rule]) => [
    name,
    rule instanceof RegExp ? plainRule(rule) : rule,
  ]);
  // The same names with rules of the same kind.
  return Object.fromEntries(entries) as T;
}

function plainRule(rule: RegExp): RegExp {
  if (!rule.unicode) return rule;
  const source = rule.source
    .replaceAll('\\p{P}\\p{S}', '!-\\/:-@\\[-`{-~')
    .replaceAll('\\p{L}\\p{N}', 'A-Za-z0-9');
  return source.includes('\\p{') ? rule : new RegExp(source, rule.flags.replace('u', ''));
}
