/** The table of environment variables that make programs run or load something else. */

interface VariableGroup {
  /** Heading in docs/policies.md. */
  what: string;
  /** Whole names. */
  names?: string;
  /** Beginnings of names. */
  starts?: string;
  /** Ends of names. */
  ends?: string;
}

export const RISKY_VARIABLES: readonly VariableGroup[] = [
  {
    what: 'the shell itself',
    names: `ENV IFS HOME PWD OLDPWD SHELL PS0 PS1 PS2 PS3 PS4 GLOBIGNORE EXECIGNORE FIGNORE POSIXLY_CORRECT OPTERR
      FUNCNEST INPUTRC FCEDIT HISTFILE ZDOTDIR COMSPEC PATHEXT COPROC`,
    starts: 'BASH SHELLOPTS',
  },
  {
    what: 'where programs, libraries and start files are found',
    names: 'TERMCAP TERMINFO TERMINFO_DIRS HOSTALIASES GLIBC_TUNABLES TEXTDOMAIN TEXTDOMAINDIR LANGUAGE',
    starts: 'LD_ DYLD_ XDG_ GCONV_ GIO_ GTK_ QT_ GST_ SYSTEMD_ DBUS_ SUDO_ DOAS_ NIX_ DIRENV_ ASDF_ MISE_',
    ends: 'PATH PATHS HOME _PRELOAD _PLUGIN _PLUGINS _HOOK _HOOKS _CONFIG_FILE _CONFIG_DIR',
  },
  {
    what: 'programs and options that other programs start with',
    names: `EDITOR VISUAL PAGER BROWSER LESS MORE MOST VIMINIT EXINIT VIM VIMRUNTIME MYVIMRC GZIP BZIP UNZIP ZIP TAPE
      LESSHISTFILE`,
    starts:
      'GIT_ LESSKEY LESSOPEN LESSCLOSE MANPAGER MANOPT MANROFF NVIM_ SSH_ SVN_ HGRC HGEDITOR HGMERGE CVS_ P4 RSYNC_ ANSIBLE_ TF_CLI_ CLOUDSDK_ TMUX FZF_',
    ends: `_OPTIONS _OPTS ADDOPTS ZIPOPT _COMMAND _CMD _PAGER _EDITOR _WRAPPER _ASKPASS _PROXY FLAGS _SHELL _RSH _SSH
      _BROWSER _INIT _STARTUP`,
  },
  {
    what: 'start files',
    names:
      'NETRC PSQLRC WGETRC SCREENRC MUTTRC ACKRC PHPRC OCTAVERC KUBECONFIG AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE',
    starts:
      'PGSERVICE PGSYSCONF MYSQL_ SQLITE DOCKER_ COMPOSE_FILE COMPOSE_ENV_FILES BUILDX_ BUILDKIT_ PODMAN_ CONTAINER_ HELM_ OPENSSL_ GNUPG GPG_ KRB5_ SSLKEYLOG GEMINI_',
    ends: '_RC',
  },
  {
    what: 'languages and build tools',
    names: `AR AS CC CPP CXX LD NM MAKE MAKEFILES MAKEOVERRIDES RANLIB STRIP GOROOT GOENV GOPROXY GOSUMDB GOTOOLCHAIN GOCACHEPROG
      GOAUTH PKG_CONFIG FC F77 DEPENDENCIES_OUTPUT SUNPRO_DEPENDENCIES
      PYTEST_PLUGINS IPYTHONDIR ELECTRON_RUN_AS_NODE`,
    starts: `PYTHON PIP_ PIPENV_ POETRY_ UV_ PYENV_ CONDA_ JUPYTER_ PERL RUBY GEM_ BUNDLE_ NODE_ NPM_ YARN_ PNPM_ BUN_
      DENO_ TS_NODE_ TSX_ COREPACK_ NVM_ VOLTA_ LUA JAVA _JAVA JDK_ MAVEN_ MVN_ ANT_ GRADLE_ R_PROFILE R_ENVIRON R_LIBS
      OCTAVE_ JULIA_ TCL GUILE_ PHP_ COMPOSER_ ERL_ DOTNET_ COR_ CORECLR_ COMPLUS_ MONO_ RUSTC RUSTDOC RUSTUP_ CARGO GHC CABAL_
      STACK_ GCC_ CMAKE_ CCACHE_ COVERAGE_`,
  },
];

/** Common harmless names that the table would match. */
const HARMLESS = new Set(
  `NODE_ENV NODE_NO_WARNINGS PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED PYTHONIOENCODING PYTHONUTF8
  CARGO_TERM_COLOR GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS`.split(/\s+/),
);

const listed = (pick: (group: VariableGroup) => string | undefined) =>
  RISKY_VARIABLES.flatMap((group) => pick(group)?.trim().split(/\s+/) ?? []);
const NAMES = new Set(listed(({ names }) => names));
const STARTS = listed(({ starts }) => starts);
const ENDS = listed(({ ends }) => ends);

/** @param name in any case, since `http_proxy` works like `HTTP_PROXY`; empty: it may be any variable */
export function isRiskyVariable(name: string): boolean {
  const upper = name.toUpperCase();
  if (HARMLESS.has(upper)) return false;
  if (upper === '' || NAMES.has(upper)) return true;
  return STARTS.some((start) => upper.startsWith(start)) || ENDS.some((end) => upper.endsWith(end));
}
