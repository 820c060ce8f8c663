/** Finds sed commands that start programs (`e`) or write files (`w`). */
import type { Word } from '../types.js';
import { type Danger, dangerousOptions, letterIn } from './entry.js';

export function sedDangers(args: readonly Word[]): Danger[] {
  const options = dangerousOptions({ long: '--in-place --file', short: 'if', valued: 'el' }, args);
  const bad = scriptsOf(args).filter((word) => !word.literal || mayStart(word.text));
  return [...options, ...bad.map(({ text }) => ({ written: text, option: text }))];
}

function scriptsOf(args: readonly Word[]): Word[] {
  const scripts: Word[] = [];
  const operands: Word[] = [];
  for (let index = 0; index < args.length; index++) {
    const word = args[index] as Word;
    const { text } = word;
    const joined = /^--e[a-z]*=([\s\S]*)$/.exec(text)?.[1];
    if (joined !== undefined) scripts.push({ ...word, text: joined });
    else if (letterIn(text, 'e', 'il') || /^--e[a-z]*$/.test(text)) {
      const attached = text.startsWith('--') ? '' : text.slice(text.indexOf('e') + 1);
      const script = attached ? { ...word, text: attached } : args[++index];
      if (script) scripts.push(script);
    } else if (/^-[A-Za-z]*[fl]$|^--(?:f|line)[a-z-]*$/.test(text)) index++;
    else if (!text.startsWith('-') || text === '-') operands.push(word);
  }
  return scripts.length > 0 ? scripts : operands.slice(0, 1);
}

/** True also for a script that is not understood. */
function mayStart(script: string): boolean {
  let rest = script;
  for (let step = 0; step < 1000; step++) {
    rest = rest.replace(/^[\s;{}]+/, '');
    if (rest === '') return false;
    const next = afterCommand(withoutAddress(rest));
    if (next === undefined) return true;
    rest = next;
  }
  return true;
}

const ADDRESS =
  /^(?:\d+(?:~\d+)?|\$|\/(?:\\[\s\S]|[^\\/])*\/[IM]*|\\([^\\\n])(?:\\[\s\S]|(?!\1)[^\\])*\1[IM]*)\s*/;

function withoutAddress(text: string): string {
  const first = text.replace(ADDRESS, '');
  const second = first.startsWith(',')
    ? first.replace(/^,\s*(?:[+~]\d+\s*)?/, '').replace(ADDRESS, '')
    : first;
  return second.replace(/^[!\s]+/, '');
}

/** The rest after the first command. Undefined: that command starts a program, writes a file, or is unknown. */
function afterCommand(text: string): string | undefined {
  const name = text.charAt(0);
  const rest = text.slice(1);
  if (/[{}]/.test(name)) return rest;
  if (/[dDgGhHnNpPxzF=]/.test(name)) return /^\s*(?:[;}\n#]|$)/.test(rest) ? rest : undefined;
  if (/[qQlL]/.test(name)) return rest.replace(/^\s*\d*/, '');
  if (/[btT:]/.test(name)) return rest.replace(/^[^;\n]*/, '');
  if (/[#rR]/.test(name)) return rest.replace(/^[^\n]*/, '');
  if (/[aic]/.test(name)) return rest.replace(/^(?:\\[\s\S]|[^\\\n])*/, '');
  if (name !== 's' && name !== 'y') return undefined;
  const mark = rest.charAt(0);
  if (!mark || /[\\\n]/.test(mark)) return undefined;
  const [, find, put] = [...partsBetween(rest, mark)];
  if (find === undefined || put === undefined) return undefined;
  const flags = rest.slice(find.length + put.length + 3);
  const own = name === 's' ? /^[gpiImM\d]*/ : /^/;
  const behind = flags.replace(own, '');
  return /^\s*(?:[;}\n#]|$)/.test(behind) ? behind : undefined;
}

/** The texts between three delimiters; a backslash escapes the next character. */
function partsBetween(text: string, mark: string): (string | undefined)[] {
  const parts: (string | undefined)[] = [mark];
  let current = '';
  for (let index = 1; index < text.length && parts.length < 3; index++) {
    const character = text.charAt(index);
    if (character === '\\') current += character + text.charAt(++index);
    else if (character === mark) {
      parts.push(current);
      current = '';
    } else current += character;
  }
  return parts;
}
