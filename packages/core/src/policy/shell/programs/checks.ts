/** Checks for programs whose arguments can be dangerous without being options. */

import type { Word } from '../types.js';
import { isRiskyVariable } from '../variables/risky-variables.js';
import { type Danger, dangerousOptions, matching } from './entry.js';

const TAR_LETTERS = 'IFTP';

/** `tar cIf ./p o a`: the first word is a bundle without a dash. */
export function tarDangers(args: readonly Word[]): Danger[] {
  const [first] = args;
  const bundle = first && /^[A-Za-z]+$/.test(first.text) ? first.text : '';
  const letter = [...bundle].find((item) => TAR_LETTERS.includes(item));
  const options = dangerousOptions({ short: TAR_LETTERS, valued: 'bCfgHKLNVX' }, args);
  return letter ? [{ written: bundle, option: `-${letter}` }, ...options] : options;
}

export const FIND_ACTIONS = /^-(?:exec|execdir|ok|okdir|delete|fls|fprint.*)$/;

export function findDangers(args: readonly Word[]): Danger[] {
  return matching(args, FIND_ACTIONS);
}

/** `uniq in out` writes; `-f`, `-s` and `-w` take a number. */
export function uniqDangers(args: readonly Word[]): Danger[] {
  const isOperand = ({ text }: Word, index: number) =>
    (text === '-' || !text.startsWith('-')) && !/^-[A-Za-z]*[fsw]$/.test(args[index - 1]?.text ?? '');
  return matching(args.filter(isOperand).slice(1), /^/);
}

/** Settings of ssh that start programs, load libraries or choose files. */
const SSH_SETTINGS =
  /^(?:proxycommand|localcommand|permitlocalcommand|knownhostscommand|remotecommand|pkcs11provider|securitykeyprovider|xauthlocation|include|match|controlpath|identityagent|userknownhostsfile|proxyjump|sshkeysign)/i;

/** ssh reads `"Name"=x` and `=Name x` like `Name x`. */
const SSH_PADDING = /["'\\=\s]/g;

export function sshDangers(args: readonly Word[]): Danger[] {
  return args.flatMap(({ text, literal }, index): Danger[] => {
    const attached = /^-[A-Za-z0-9]*?o([\s\S]*)$/.exec(text)?.[1];
    if (attached === undefined) return [];
    const value = attached === '' ? args[index + 1] : { text: attached, literal };
    const isPlain = value?.literal && !SSH_SETTINGS.test(value.text.replace(SSH_PADDING, ''));
    return isPlain ? [] : [{ written: value?.text ?? text, option: '-o' }];
  });
}

const SQLITE =
  /(?:^|[\n;])\s*\.(?:sh|sy|ou|on|lo|im|ex|ba|sa|cl|re|tr|ar|cd)|\b(?:load_extension|writefile|edit)\s*\(/i;
const PSQL = /\\(?:!|copy|setenv|[ogwis](?:\s|\||$))|\bprogram\b|\b(?:pg_read_file|lo_export|lo_import)\b/i;
const MYSQL = /\\[!.PT]|\b(?:system|source|pager|tee)\b|\binto\s+(?:out|dump)file\b|\bload_file\b/i;

export const sqliteDangers = (args: readonly Word[]): Danger[] => matching(args, SQLITE);
export const psqlDangers = (args: readonly Word[]): Danger[] => matching(args, PSQL);
export const mysqlDangers = (args: readonly Word[]): Danger[] => matching(args, MYSQL);
export const makeDangers = (args: readonly Word[]): Danger[] =>
  matching(args, /^[\w.]+\s*[:+?!]*=/).filter(({ written }) =>
    isRiskyVariable(/^\.?(\w*)/.exec(written)?.[1] ?? ''),
  );
export const compilerDangers = (args: readonly Word[]): Danger[] =>
  matching(args, /^(?:@|-Wl,(?:.*,)?(?:--?plug|@)|--?plug|-fuse-ld=.*\/|--ld-path)/);
export const pagerDangers = (args: readonly Word[]): Danger[] => matching(args, /^\+/);
/** `zip -rTT ./p`: the second T makes it a program. */
export const zipDangers = (args: readonly Word[]): Danger[] => matching(args, /^-[A-Za-z]*TT/);
/** `-w '%output{file}'` writes a file; the contents of `-w @file` and `--expand-…` are unknown. */
export const curlDangers = (args: readonly Word[]): Danger[] =>
  matching(args, /%output\{|^--expand-|^-[A-Za-z]*w@|^--wr[a-z-]*=@/).concat(
    matching(
      args.filter((_word, index) => /^(?:-[A-Za-z]*w|--wr[a-z-]*)$/.test(args[index - 1]?.text ?? '')),
      /^@/,
    ),
  );
export const goDangers = (args: readonly Word[]): Danger[] => [
  ...matching(args, /-extld/),
  ...(args.some(({ text }) => text === 'env') ? matching(args, /^--?[wu](?:=|$)/) : []),
];
export const cargoDangers = (args: readonly Word[]): Danger[] =>
  matching(args, /^(?:-C|--codegen=)?\s*(?:linker|(?:pre-)?link-args?)=/);
