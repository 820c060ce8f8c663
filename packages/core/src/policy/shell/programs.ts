/** Programs that run others: what their name alone does not say. */
import { basename, isAbsolute } from 'node:path';
import type { Word } from './types.js';

const RUNNERS = new Set(
  `bash sh zsh dash ksh fish env sudo doas su xargs python python2 python3 node deno bun tsx perl ruby php lua awk
  gawk eval exec source . ssh docker podman kubectl npx watch timeout nohup setsid nice find parallel make pwsh
  powershell osascript rm dd chmod chown curl wget`.split(/\s+/),
);

/** Those that run others by an option or a word of theirs, or write to the place that their words name. */
const TOLD_BY_WORDS = new Set(
  `nodejs ts-node pypy ipython jython perl5 jruby irb rails erb luajit tclsh wish expect guile racket sbcl clisp ghc runghc
  runhaskell stack cabal ocaml julia Rscript R octave groovy scala kotlin java javac jshell swift elixir erl iex mix mawk nawk
  busybox toybox sed gsed ed ex vi vim nvim view emacs nano less more man tar gtar bsdtar cpio zip unzip rsync scp sftp ftp
  lftp sqlite sqlite3 psql mysql mariadb mongo mongosh redis-cli duckdb gdb lldb strace ltrace perf valgrind gcc cc g++ c++ cpp
  clang clang++ tcc rustc ld as nm gmake bmake cmake ninja meson bazel gradle gradlew mvn mvnw ant sbt rake just task npm pnpm
  yarn bunx pip pip3 pipx uv uvx poetry conda gem bundle bundler cargo rustup go composer brew apt apt-get dpkg yum dnf rpm
  pacman apk snap flatpak nix nix-shell jest vitest mocha pytest tox nox eslint prettier tsc webpack vite rollup ansible
  terraform helm vagrant gcloud aws az gh glab hg svn screen tmux script socat nc ncat netcat telnet openssl gpg
  systemctl systemd-run service launchctl crontab at batch mount umount chroot unshare nsenter setpriv runuser capsh
  start-stop-daemon ssh-agent ssh-add ssh-keygen xdg-open open cp mv ln install tee truncate sort split csplit shred unlink
  rmdir mktemp patch dos2unix base64 xxd jq yq envsubst m4 chgrp setfacl chattr kill killall pkill command builtin
  alias trap hash enable export declare typeset readonly printf read mapfile`.split(/\s+/),
);

/** What these git commands do stays within the repository; options that start programs are found apart. */
const GIT_PLAIN = new Set(
  `add status log diff show branch checkout switch restore commit merge stash tag reset rm mv blame cherry-pick revert describe
  rev-parse ls-files shortlog reflog`.split(/\s+/),
);

/** An "always" for one of them is for the command as it was shown, without any further words. */
function runsOthers(program: string): boolean {
  return RUNNERS.has(basename(program));
}

/**
 * The words that a rule made by an answer must hold: all of them where the rest decides what runs or what is written,
 * program and subcommand of git, else the program alone.
 */
export function boundWords(words: readonly Word[]): readonly Word[] {
  const [program, second] = words;
  if (!program?.literal || program.glob || program.tilde) return words;
  const isScript = program.text.includes('/') && !isAbsolute(program.text);
  const name = basename(program.text);
  // `python3.11`, `perl5.36` and `gcc-13` are what they are without the version.
  const names = [name, name.replace(/[-.]?\d[\d.]*$/, '')];
  if (isScript || names.some((item) => runsOthers(item) || TOLD_BY_WORDS.has(item))) return words;
  if (name !== 'git') return [program];
  return second?.literal && GIT_PLAIN.has(second.text) ? [program, second] : words;
}
