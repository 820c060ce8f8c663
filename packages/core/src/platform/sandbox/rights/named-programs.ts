/** The programs that a command line or an invocation names itself. Pure. */
import { basename } from 'node:path';
import { shellWords } from '../../../base/shell-words.js';

/** Programs that run the program named after them. */
const WRAPPERS = new Set('command env exec nice nohup setsid stdbuf time timeout xargs'.split(' '));
const SHELLS = new Set('bash dash fish ksh sh zsh'.split(' '));

/** Of a shell line: the first word of each command. A word that is not a program does no harm: it is not found. */
export function programsOfLine(line: string): string[] {
  return line.split(/[|&;\n(){}`]/).flatMap((piece) => programsOfWords(wordsOf(piece)));
}

/** Of a program with arguments, without the program itself. */
export function programsOfArguments(command: string, args: readonly string[]): string[] {
  if (WRAPPERS.has(basename(command))) return programsOfWords(args.map(String));
  const script = SHELLS.has(basename(command))
    ? args[args.findIndex((word) => /^-\w*c$/.test(word)) + 1]
    : undefined;
  return script !== undefined && args.some((word) => /^-\w*c$/.test(word)) ? programsOfLine(script) : [];
}

function programsOfWords(words: readonly string[]): string[] {
  const at = words.findIndex(
    (word) => !word.startsWith('-') && !/^\w+=/.test(word) && !/^\d+\w?$/.test(word),
  );
  const program = words[at];
  if (program === undefined) return [];
  return [program, ...programsOfArguments(program, words.slice(at + 1))];
}

/** A piece may have an open quote; then only its first word matters. */
function wordsOf(piece: string): string[] {
  return (
    shellWords(piece) ??
    piece
      .trim()
      .replace(/^["']|["'].*$/g, '')
      .split(/\s+/)
  );
}
