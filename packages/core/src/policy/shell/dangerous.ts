/** Options that turn a command into one that removes files or starts other programs. */
import { basename } from 'node:path';
import type { SimpleCommand, Word } from './types.js';

/** The dangerous part as written, for rules that name it themselves. */
export function dangerIn(command: SimpleCommand): string | undefined {
  const name = basename(command.name);
  const args = command.words.slice(1);
  const check = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
  return check?.(args);
}

export const FIND_ACTIONS = /^-(?:exec|execdir|ok|okdir|delete|fls|fprint.*)$/;
export const RG_STARTERS = /^(?:--pre(?:=|$)|--hostname-bin|--search-zip$|-[A-Za-z]*z)/;

const CHECKS: Record<string, (args: readonly Word[]) => string | undefined> = {
  rm: (args) => firstMatch(args, /^-[A-Za-z]*[frR]|^--f(?:o|or|orc|orce)?$|^--r/),
  find: (args) => firstMatch(args, FIND_ACTIONS),
  rg: (args) => firstMatch(args, RG_STARTERS),
  git: (args) =>
    firstMatch(beforeSubcommand(args), /^-c|^--config-env|^--exec-path=/) ??
    firstMatch(args, /^--(?:upload-pack|receive-pack|exec|ext-diff|textconv|output)(?:=|$)/) ??
    (isUnknownOption(args[0]) ? args[0]?.source : undefined),
  tar: (args) =>
    firstMatch(
      args,
      /^--(?:checkpoint-action|to-command|use-compress|rsh-command|info-script|new-volume-script)|^-[A-Za-z]*[IF]/,
    ),
};

function firstMatch(args: readonly Word[], pattern: RegExp): string | undefined {
  return args.find(({ text }) => pattern.test(text))?.text;
}

/** An expansion in the place of the first option may be any option. */
function isUnknownOption(word: Word | undefined): boolean {
  return word !== undefined && !word.literal;
}

function beforeSubcommand(args: readonly Word[]): Word[] {
  const end = args.findIndex(
    ({ text }, index) =>
      !text.startsWith('-') &&
      !/^(?:-C|--git-dir|--work-tree|--namespace)$/.test(args[index - 1]?.text ?? ''),
  );
  return args.slice(0, end < 0 ? args.length : end);
}
