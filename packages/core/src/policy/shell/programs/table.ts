/**
 * The table of programs that start others: always, or by an option, a subcommand or a script. An allow rule for such a
 * program does not cover the dangerous form unless the rule names it. docs/policies.md prints the table.
 */
import {
  cargoDangers,
  compilerDangers,
  curlDangers,
  findDangers,
  goDangers,
  makeDangers,
  mysqlDangers,
  pagerDangers,
  psqlDangers,
  sqliteDangers,
  sshDangers,
  tarDangers,
  uniqDangers,
  zipDangers,
} from './checks.js';
import type { Program } from './entry.js';
import { gitDangers, gitUnknownPlaces } from './git.js';
import { PACKAGE_OPTIONS, packageDangers } from './packages.js';
import { sedDangers } from './sed.js';

export const PROGRAMS: readonly Program[] = [
  {
    names: 'git',
    also: 'see below',
    values: '--message --author --date --since --until --after --before --grep --format --pretty -C',
    unknownPlaces: gitUnknownPlaces,
    check: gitDangers,
  },
  {
    names: 'rm',
    long: '--force --recursive',
    short: 'frR',
    also: 'under a rule for all commands; a rule for `rm` names them',
  },
  {
    names: 'find gfind bfs',
    also: '`-exec` `-execdir` `-ok` `-okdir` `-delete` `-fls` `-fprint…`',
    values: `-name -iname -path -ipath -wholename -regex -iregex -lname -ilname -type -newer -mtime -mmin -ctime -cmin -atime
      -amin -size -maxdepth -mindepth -user -group -perm -printf`,
    noEnd: true,
    check: findDangers,
  },
  { names: 'fd fdfind', long: '--exec --exec-batch', short: 'xX', valued: 'dEegtSc' },
  { names: 'rg ripgrep', long: '--pre --hostname-bin --search-zip', short: 'z', valued: 'ABCdEefgjMmrTt' },
  {
    names: 'tar gtar bsdtar',
    long: `--checkpoint-action --to-command --use-compress-program --rsh-command --rmt-command --info-script
      --new-volume-script --files-from --remove-files --absolute-names --index-file`,
    otherLong: '--checkpoint',
    also: '`-I` `-F` `-T` `-P`, also in bundles without a dash',
    globs: true,
    check: tarDangers,
  },
  {
    names: 'zip',
    long: '--unzip-command --move',
    single: '-TT',
    short: 'm',
    globs: true,
    check: zipDangers,
  },
  {
    names: 'sed gsed',
    also: '`-i` `-f`; scripts with `e`, `w`, `W`, `s///e`, `s///w`, or an expansion',
    check: sedDangers,
  },
  { names: 'sort gsort', long: '--output --compress-program', short: 'o', valued: 'kStT' },
  { names: 'shuf gshuf', long: '--output', short: 'o', valued: 'in' },
  { names: 'uniq guniq', also: 'a second file, which it writes', check: uniqDangers },
  { names: 'iconv', long: '--output', short: 'o', valued: 'ft' },
  { names: 'file', long: '--compile', short: 'C', valued: 'eFfmP' },
  { names: 'date gdate', long: '--set', short: 's', valued: 'dfrI' },
  { names: 'split gsplit', long: '--filter' },
  { names: 'tree', short: 'o', valued: 'LPIHT' },
  { names: 'install ginstall', long: '--strip-program' },
  { names: 'man', long: '--pager --html --config-file', short: 'PHC', valued: 'LmMSseErRp' },
  {
    names: 'less more most',
    long: '--log-file --LOG-FILE --lesskey-file --lesskey-content --lesskey-src',
    short: 'koO',
    also: '`+command`',
    check: pagerDangers,
  },
  {
    names: 'ssh',
    short: 'FSIE',
    valued: 'BbcDeiJLlmopQRWw',
    also: '`-o` of settings such as `ProxyCommand`',
    runsAnything: true,
    check: sshDangers,
  },
  {
    names: 'scp sftp',
    short: 'FSDb',
    valued: 'ciJloPXBR',
    also: '`-o` of settings such as `ProxyCommand`',
    runsAnything: true,
    check: sshDangers,
  },
  {
    names: 'rsync',
    long: `--rsh --rsync-path --remote-option --config --log-file --write-batch --remove-source-files --delete
      --delete-before --delete-during --delete-delay --delete-after --delete-excluded --delete-missing-args`,
    short: 'eM',
    valued: 'fTB@',
    globs: true,
    runsAnything: true,
  },
  {
    names: 'curl',
    long: `--output --output-dir --remote-name --remote-name-all --config --dump-header --trace --trace-ascii --stderr
      --cookie-jar --engine --libcurl --etag-save --hsts --alt-svc`,
    short: 'oOKDcJ',
    valued: 'AbCdeEFHhmPQrtTuUwxXyYz',
    also: '`%output{…}` and `@file` for `--write-out`, `--expand-…`',
    runsAnything: true,
    check: curlDangers,
  },
  {
    names: 'wget',
    long: `--use-askpass --output-document --output-file --append-output --config --execute --post-file --body-file
      --directory-prefix --warc-file --save-cookies --hsts-file --rejected-log`,
    short: 'OoaeP',
    valued: 'tTwQUlDIXRABi',
    runsAnything: true,
  },
  {
    names: 'nc ncat netcat',
    long: '--exec --sh-exec --lua-exec',
    short: 'ec',
    valued: 'gGioOpqsTwxX',
    runsAnything: true,
  },
  { names: 'openssl', single: '-engine -provider -config -out', runsAnything: true },
  {
    names: 'tcpdump',
    long: '--postrotate-command',
    short: 'zw',
    valued: 'BcCFGiMrsTVWyE',
    runsAnything: true,
  },
  {
    names: 'gcc g++ cc c++ clang clang++ tcc',
    single: '-wrapper -fplugin -fpass-plugin -iplugindir -B -specs -load -Xclang',
    also: '`@file`, plugins of the linker',
    runsAnything: true,
    check: compilerDangers,
  },
  {
    names: 'pdflatex xelatex lualatex latex tex pdftex',
    single: '-shell-escape -enable-write18',
    runsAnything: true,
  },
  { names: 'pandoc', long: '--filter --lua-filter --pdf-engine --output', short: 'FLo', runsAnything: true },
  {
    names: 'make gmake',
    long: '--eval --file --makefile',
    short: 'fE',
    valued: 'jClIoW',
    also: '`SHELL=…` `CC=…` and all variables of the table below',
    runsAnything: true,
    check: makeDangers,
  },
  {
    names: 'npm pnpm yarn',
    long: PACKAGE_OPTIONS,
    short: 'c',
    subcommands: 'exec x dlx create explore edit',
    also: '`init` without `-y` or of a package, `config set`, `pkg set`',
    runsAnything: true,
    check: packageDangers,
  },
  {
    names: 'go',
    single: '-toolexec -exec -vettool -overlay -modfile',
    subcommands: 'run generate tool',
    also: '`env -w`, `-extld` in `-ldflags`',
    runsAnything: true,
    check: goDangers,
  },
  {
    names: 'cargo',
    long: '--config',
    also: '`-C linker=…`',
    runsAnything: true,
    check: cargoDangers,
  },
  { names: 'hg', long: '--config --cwd', runsAnything: true },
  {
    names: 'svn',
    long: '--diff-cmd --diff3-cmd --editor-cmd --config-option --config-dir',
    runsAnything: true,
  },
  { names: 'gh', subcommands: 'alias extension extensions ext codespace cs config', runsAnything: true },
  {
    names: 'systemctl',
    subcommands: 'edit link enable set-environment import-environment',
    runsAnything: true,
  },
  {
    names: 'sqlite sqlite3',
    single: '-cmd -init',
    also: '`.shell`, `.output` and the like, `load_extension(`',
    runsAnything: true,
    check: sqliteDangers,
  },
  {
    names: 'psql',
    long: '--output --file --log-file',
    short: 'ofL',
    valued: 'cdFhpPRTUv',
    also: '`\\!`, `\\o`, `\\copy` and the like, `program`',
    runsAnything: true,
    check: psqlDangers,
  },
  {
    names: 'mysql mariadb',
    long: '--pager --tee --plugin-dir --init-command',
    also: '`\\!`, `system`, `source`, `into outfile`',
    runsAnything: true,
    check: mysqlDangers,
  },
  {
    names: `bash sh zsh dash ksh mksh fish ash rbash pwsh powershell cmd busybox toybox eval exec source . env sudo doas su
      xargs parallel watch timeout nohup setsid nice osascript expect`,
    runsAnything: true,
  },
  {
    names: `python pypy ipython jupyter node nodejs deno bun tsx ts-node perl ruby irb php lua luajit awk gawk mawk nawk tclsh
      wish guile racket sbcl clisp ghc ghci runghc ocaml scala kotlin groovy jshell java julia R Rscript octave swift elixir
      iex erl gnuplot bc dc m4`,
    runsAnything: true,
  },
  {
    names: `npx pnpx bunx pip pipx uv uvx poetry pipenv conda mamba gem bundle bundler rake composer apt apt-get dpkg yum dnf
      pacman brew snap flatpak nix nix-shell nix-env apk cabal stack opam luarocks cpan vcpkg conan`,
    runsAnything: true,
  },
  {
    names: `cmake ctest ninja meson scons bazel buck ant mvn mvnw gradle gradlew sbt mix rebar3 dotnet msbuild xcodebuild rustc
      javac tsc ld as ar gfortran nasm swiftc zig just task tox nox pytest jest vitest mocha eslint webpack vite`,
    runsAnything: true,
  },
  { names: 'vi vim nvim view ex ed emacs nano pico joe micro code', runsAnything: true },
  { names: 'mongo mongosh redis-cli duckdb clickhouse-client sqlplus', runsAnything: true },
  {
    names: `docker podman nerdctl kubectl helm oc vagrant terraform tofu ansible ansible-playbook aws gcloud az crontab at
      batch systemd-run tmux screen socat telnet ftp lftp gdb lldb strace ltrace valgrind perf dd chmod chown`,
    runsAnything: true,
  },
];
