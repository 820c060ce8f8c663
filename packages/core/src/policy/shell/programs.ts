/** Looks up programs by name: whether they start others, and how much an "always" answer for them covers. */
import { basename } from 'node:path';
import { startsOthers } from './nested/wrappers.js';
import { type Danger, dangersOf, list, type Program } from './programs/entry.js';
import { gitBoundWords } from './programs/git.js';
import { PROGRAMS } from './programs/table.js';
import { unknownOptions } from './programs/unknown-words.js';
import type { Assignment, Word } from './types.js';

/** Programs that never start, overwrite or remove what their arguments name. */
const ORDINARY = new Set(
  list(`echo printf cat head tail wc ls dir vdir grep egrep fgrep zgrep cut tr uniq nl paste rev tac stat file du df basename
  dirname realpath readlink pwd cd pushd popd dirs mkdir touch test [ [[ true false : which whereis type whatis apropos
  diff cmp comm md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum jq expr seq date cal sleep
  ps pgrep free uptime id whoami groups who w hostname uname nproc lscpu lsblk lsof base64 base32 basenc od hexdump
  strings iconv column fold fmt pr expand unexpand join tsort shuf numfmt factor mktemp locale tty printenv getconf
  export unset declare typeset local readonly read set shift return exit break continue wait jobs umask ulimit help let
  mapfile readarray getopts getent ping dig host nslookup sync look tput clear`),
);
/** Programs that write, move or remove what their arguments name, but never start it. */
const WRITERS = new Set(
  list(`cp mv ln rmdir unlink tee truncate shred chgrp mkfifo mknod kill pkill killall gzip gunzip bzip2 bunzip2 xz unxz zstd
  unzip zcat bzcat xzcat patch dos2unix unix2dos dd chmod chown link xxd csplit`),
);

const BY_NAME = new Map(PROGRAMS.flatMap((program) => list(program.names).map((name) => [name, program])));

/** `/usr/bin/python3.11` is `python`, `x86_64-linux-gnu-gcc-12` is `gcc`, `vim.tiny` is `vim`. */
function entryOf(program: string): Program | undefined {
  const name = basename(program).replace(/\.exe$/i, '');
  const plain = name.replace(/(?:[-.]?\d[\d.]*)?(?:-dbg|-config|\.basic|\.tiny|\.nox|\.gtk\d?)?$/, '');
  const compiler = /-(gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ld|as|ar)$/.exec(plain)?.[1];
  return BY_NAME.get(name) ?? BY_NAME.get(plain) ?? BY_NAME.get(compiler ?? '');
}

/** Options and arguments by which the command starts programs, writes elsewhere or removes files. */
export function dangersInWords([first, ...args]: readonly Word[]): Danger[] {
  const program = first?.literal ? entryOf(first.text) : undefined;
  return program ? dangersOf(program, args) : [];
}

/** Words of unknown value that may become one of the program's dangerous options. */
export function unknownInWords([first, ...args]: readonly Word[], assigned: readonly Assignment[]): Danger[] {
  const program = first?.literal ? entryOf(first.text) : undefined;
  return program && hasDangers(program) ? unknownOptions(program, args, assigned) : [];
}

function hasDangers({ long, short, single, check }: Program): boolean {
  return Boolean(long || short || single || check);
}

/** An "always" answer for such a program covers only the exact command that was shown. */
export function runsOthers(program: string): boolean {
  return !ORDINARY.has(basename(program));
}

/**
 * The words that an "always" answer covers: the program, program and subcommand, or all of them if the
 * program runs others, is unknown, or is used in a dangerous form.
 */
export function boundWords(words: readonly Word[]): readonly Word[] {
  const [first] = words;
  if (!first?.literal || first.glob || dangersInWords(words).length > 0) return words;
  if (basename(first.text) === 'git') return gitBoundWords(words);
  return runsOthers(first.text) ? words : [first];
}

/** True for `grep curl`, which does not run curl. False for unknown programs. */
export function neverStartsItsArguments(words: readonly Word[]): boolean {
  const [first, second] = words;
  if (first?.text === 'command' && /^-p?[vV]/.test(second?.text ?? '')) return true;
  if (!first?.literal || first.text.includes('/') || startsOthers(first.text)) return isHarmlessPath(words);
  if (ORDINARY.has(first.text) || WRITERS.has(first.text)) return true;
  const program = entryOf(first.text);
  return program !== undefined && !program.runsAnything && dangersOf(program, words.slice(1)).length === 0;
}

/** `/usr/bin/grep` is grep; `./grep` may be any program. */
function isHarmlessPath([first, ...args]: readonly Word[]): boolean {
  const name = /^\/(?:usr\/)?bin\/([^/]+)$/.exec(first?.text ?? '')?.[1];
  return (
    first?.literal === true &&
    name !== undefined &&
    neverStartsItsArguments([{ ...first, text: name }, ...args])
  );
}
