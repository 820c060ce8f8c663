/** Finds commands that remove, overwrite or move what cannot be restored; they ask in every mode. */
import { basename, normalize } from 'node:path';
import { literalWord } from '../parsing/words.js';
import { globPattern } from '../paths/glob-targets.js';
import { ProtectedPaths } from '../paths/protected-paths.js';
import {
  type ShellContext,
  type WorkingDirectories,
  workingDirectoriesOf,
} from '../paths/working-directories.js';
import type { ParsedCommand, SimpleCommand, Word } from '../types.js';
import { removalByFind } from './find-removals.js';
import { commandOf, removerOf, removersLike, roughCommandsIn, wordsPrintedIn } from './rough-commands.js';
import { Targets } from './targets.js';

/** The command and the threatened path, for the user; undefined when nothing is in danger. */
export function catastropheIn(
  parsed: ParsedCommand,
  context: ShellContext,
  directories: WorkingDirectories = workingDirectoriesOf(parsed, context),
): string | undefined {
  const targets = new Targets(parsed, context, new ProtectedPaths(context, directories));
  const fed = (command: SimpleCommand) => (isFedFromElsewhere(command) ? wordsPrintedIn(parsed) : []);
  for (const command of [...parsed.commands, ...roughCommandsIn(parsed)]) {
    for (const spelling of spellingsOf(command, targets)) {
      const target = threatenedBy({ ...spelling, words: [...spelling.words, ...fed(spelling)] }, targets);
      if (target !== undefined) return `${basename(spelling.name) || 'a redirection'} ${target}`.trim();
    }
  }
  return undefined;
}

/** The command with every program name that `$x`, `r{m,}` or `/bin/r?` may become. */
function spellingsOf(command: SimpleCommand, targets: Targets): SimpleCommand[] {
  const [first, ...rest] = command.words;
  if (!first || (first.literal && !first.glob)) return [command];
  const named = (text: string) =>
    commandOf([...text.split(/\s+/).filter(Boolean).map(literalWord), ...rest], command);
  // In `$(npm bin)/eslint` only the folder is unknown.
  const own = /\/([\w.-]+)"?$/.exec(first.source)?.[1];
  if (own !== undefined) return [named(own)];
  const { values, unknown } = targets.valuesOf(first);
  if (unknown) return [named('any')];
  // `"${a[@]}"` may hold a program and its arguments.
  const all = values.length > 1 ? [...values, values.join(' ')] : values;
  return all.flatMap((value) => {
    const isGlob = /[*?[]/.test(value);
    return isGlob ? removersLike(globPattern(basename(value))).map(named) : [named(value)];
  });
}

function threatenedBy(command: SimpleCommand, targets: Targets): string | undefined {
  const args = command.words.slice(1);
  const operands = operandsOf(args);
  const threatened = () => operands.find(targets.isThreat)?.source;
  const written = command.redirections.find(
    ({ kind, target }) => kind === 'output' && target && (isDisk(target.text) || targets.isVital(target)),
  );
  if (written) return written.target?.source;
  const program = removerOf(command.name) ?? basename(command.name);
  switch (program) {
    case 'rm': {
      if (!hasOption(args, /^-[A-Za-z]*[rR]|^--r/) && args.every(({ literal }) => literal))
        return operands.find(targets.isVital)?.source;
      return threatened() ?? (isFedFromElsewhere(command) ? 'with targets from its input' : undefined);
    }
    case 'rmdir':
    case 'chmod':
    case 'chown':
    case 'chgrp':
      return hasOption(args, /^-[A-Za-z]*R|^--rec/) ? threatened() : undefined;
    case 'shred':
      return hasOption(args, /^-[A-Za-z]*[Ru]|^--rec|^--rem/)
        ? threatened()
        : operands.find(targets.isVital)?.source;
    case 'mv': {
      const hasFolder = hasOption(args, /^-[A-Za-z]*t|^--t/);
      const moved = operands.slice(0, hasFolder ? undefined : -1).find(targets.isThreat)?.source;
      return moved ?? overwritten(args, operands, targets);
    }
    case 'rimraf':
    case 'trash':
    case 'trash-put':
      return threatened();
    case 'tar':
      return args.some(({ text }) => /^--remove/.test(text)) ? threatened() : undefined;
    case '7z':
    case '7za':
    case '7zz':
      return args.some(({ text }) => text === '-sdel') ? threatened() : undefined;
    case 'sed':
      return hasOption(args, /^-[A-Za-z]*i|^--i/) ? operands.find(targets.isVital)?.source : undefined;
    case 'zip':
      return args.some(({ text }) => /^-[A-Za-z]*m|^--m/.test(text)) ? threatened() : undefined;
    case 'find':
    case 'bfs':
      return removalByFind(args, targets);
    case 'rsync':
      if (args.some(({ text }) => /^--del/.test(text)))
        return operands.slice(-1).find(targets.isThreat)?.source;
      return overwritten(args, operands, targets);
    case 'dd':
      return args.find(({ text, ...word }) => {
        const file = { ...word, text: text.slice(3), source: word.source.replace(/^of=/, '') };
        return text.startsWith('of=') && (isDisk(file.text) || targets.isVital(file));
      })?.source;
    case 'cp':
    case 'install':
    case 'ln':
      return operands.find(({ text }) => isDisk(text))?.source ?? overwritten(args, operands, targets);
    case 'tee':
    case 'truncate':
    case 'unlink':
    case 'sponge':
      return operands.find((word) => isDisk(word.text) || targets.isVital(word))?.source;
    case 'wipefs':
    case 'blkdiscard':
      return operands.find(({ text }) => isDisk(text))?.source;
    case 'any':
      return args.some(({ text }) => /^-[A-Za-z]*[rRf]|^--r|^-delete$/.test(text)) ? threatened() : undefined;
    default:
      return /^mkfs(?:\.|$)/.test(program) ? args.at(-1)?.source : undefined;
  }
}

/** The destination, if a vital file there is overwritten: named itself, or as its folder plus the source's name. */
function overwritten(args: readonly Word[], operands: readonly Word[], targets: Targets): string | undefined {
  const at = args.findIndex(({ text }) => /^-[A-Za-z]*t$|^--t[a-z-]*$/.test(text));
  const attached = args.find(({ text }) => /^(?:-[A-Za-z]*t|--t[a-z-]*=)./.test(text));
  const folder = attached
    ? { ...attached, ...literalWord(attached.text.replace(/^(?:--t[a-z-]*=|-[A-Za-z]*?t)/, '')) }
    : ((at < 0 ? undefined : args[at + 1]) ?? operands.at(-1));
  if (!folder) return undefined;
  const isWritten = (word: Word) =>
    targets.isVital({
      ...folder,
      text: `${folder.text}/${basename(word.text)}`,
      source: `${folder.source}/${basename(word.text)}`,
    });
  const isFile = targets.isVital(folder) && !targets.isFolder(folder);
  return isFile || operands.filter((word) => word !== folder).some(isWritten) ? folder.source : undefined;
}

function operandsOf(args: readonly Word[]): Word[] {
  const end = args.findIndex(({ text }) => text === '--');
  const before = end < 0 ? args : args.slice(0, end);
  return [...before.filter(({ text }) => !text.startsWith('-')), ...(end < 0 ? [] : args.slice(end + 1))];
}

function hasOption(args: readonly Word[], pattern: RegExp): boolean {
  const end = args.findIndex(({ text }) => text === '--');
  return args
    .slice(0, end < 0 ? args.length : end)
    .some(({ text, literal }) => pattern.test(text) || !literal);
}

function isFedFromElsewhere({ openArguments, via }: SimpleCommand): boolean {
  return openArguments && via.some((name) => name === 'xargs' || name === 'parallel');
}

function isDisk(path: string | undefined): boolean {
  return /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|mapper\/|md|dm-|rdisk)/.test(normalize(path ?? ''));
}
