/** Programs whose words hold more than options. */
import type { Word } from '../types.js';
import { type Danger, dangerousOptions, matching } from './entry.js';

const TAR_LETTERS = 'IFT';

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

export function sshDangers(args: readonly Word[]): Danger[] {
  return args.flatMap(({ text }, index): Danger[] => {
    const attached = /^-[A-Za-z0-9]*?o([\s\S]*)$/.exec(text)?.[1];
    if (attached === undefined) return [];
    const value = attached === '' ? args[index + 1] : { text: attached, literal: true };
    const isPlain = value?.literal && !SSH_SETTINGS.test(value.text.trim());
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
  matching(args, /^\.?(?:SHELL|SHELLFLAGS|MAKEFLAGS|MAKEFILES|MAKE)\s*[:+?!]*=/);
export const compilerDangers = (args: readonly Word[]): Danger[] => matching(args, /^@/);
export const pagerDangers = (args: readonly Word[]): Danger[] => matching(args, /^\+/);
/** `npm config set script-shell x`, `npm -c`. */
export const packageDangers = (args: readonly Word[]): Danger[] => {
  const words = args.filter(({ text }) => !text.startsWith('-'));
  // `npm init -y` makes a package.json; `npm init x` runs the package create-x.
  if (words.length > 1 && /^inn?it$/.test(words[0]?.text ?? '')) return matching(words.slice(0, 1), /./);
  // npm takes any clear beginning of a command. `npm run env -- x` runs x.
  const [command = '', script] = words.map(({ text }) => text);
  const isStarter =
    command.length > 1 && ['exec', 'explore', 'edit', 'create'].some((item) => item.startsWith(command));
  const isEnv = /^(?:run|run-script|rum|urn)$/.test(command) && script === 'env' && words.length > 2;
  if (isStarter || isEnv) return matching(words.slice(0, isEnv ? 2 : 1), /./);
  const isSetting = /^(?:c|config|conf|set|pkg)$/.test(words[0]?.text ?? '');
  return isSetting ? matching(words.slice(0, 2), /^(?:set|edit|delete)$/) : [];
};
