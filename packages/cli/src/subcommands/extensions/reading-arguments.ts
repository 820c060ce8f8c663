/** Reads the arguments of a verb; a mistake becomes one line with the right form. */
import { codeOf, UserError } from '@gemini-cli/core';
import { oneLine } from '../../output/output.js';

/** @throws UserError that shows the usage */
export function readingArguments<T>(usage: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!codeOf(error)?.startsWith('ERR_PARSE_ARGS')) throw error;
    const [reason = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw new UserError(`gemini extensions: ${oneLine(reason)} Usage: gemini extensions ${usage}.`, {
      cause: error,
    });
  }
}

/** Options of these verbs with a value of their own. */
const WITH_VALUE = new Set(['ref', 'path', 'scope', 'output-format']);

/** Spellings that users of the reference program know: `--autoUpdate`, `--consent=true`, `--no-consent`, `-o=json`. */
export function plainArguments(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  const options = end < 0 ? args : args.slice(0, end);
  return [...options.flatMap(plainOption), ...args.slice(options.length)];
}

function plainOption(written: string): string[] {
  const [, letter, text = ''] = /^-([a-z])=(.*)$/s.exec(written) ?? [];
  if (letter) return [`-${letter}`, text];
  const [, given, value = ''] = /^--([A-Za-z][\w-]*)(=.*)?$/s.exec(written) ?? [];
  if (given === undefined) return [written];
  const name = given.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
  if (WITH_VALUE.has(name)) return [`--${name}${value}`];
  if (value === '=false' || (value === '' && name.startsWith('no-'))) return [];
  return [`--${name}${value === '=true' ? '' : value}`];
}
