/**
 * The lexer of marked. Some of its expressions match all Unicode punctuation, and compiling them takes longer than
 * lexing an answer. Plain ASCII text gets the same expressions restricted to ASCII.
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

/** Called when idle, before the first answer, which would else wait for expressions to compile. */
export function warmUpLexer(): void {
  lexMarkdown('# A\n\nb **c** `d` *e* [f](g)\nh\n\n1. i\n2. j\n\n| k |\n|---|\n| l |\n');
}

let ascii: Rules | undefined;

function asciiRules(rules: Rules): Rules {
  ascii ??= { ...rules, inline: plain(rules.inline), other: plain(rules.other) };
  return ascii;
}

/** For ASCII text the classes match the same characters. */
function plain<T extends object>(rules: T): T {
  const entries = Object.entries(rules).map(([name, rule]) => [
    name,
    rule instanceof RegExp ? plainRule(rule) : rule,
  ]);
  // The same names with rules of the same type.
  return Object.fromEntries(entries) as T;
}

function plainRule(rule: RegExp): RegExp {
  if (!rule.unicode) return rule;
  const source = rule.source
    .replaceAll('\\p{P}\\p{S}', '!-\\/:-@\\[-`{-~')
    .replaceAll('\\p{L}\\p{N}', 'A-Za-z0-9');
  return source.includes('\\p{') ? rule : new RegExp(source, rule.flags.replace('u', ''));
}
