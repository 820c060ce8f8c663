/** Variables in front of a command that change what it runs. */
import type { Assignment } from './types.js';

/** Names that choose programs, libraries, start files or options of programs. */
const RISKY = [
  /PATH$/,
  /^(?:LD|DYLD|GIT|BASH|PYTHON|PERL|RUBY|NODE|NPM_CONFIG|LUA|SSH|XDG|GCONV|RUSTC|CARGO|PIP|GEM|JAVA|GEMINI|SUDO)(?:_|$)/,
  /^(?:PYTHON|PERL5|PERLLIB|RUBY|GO[A-Z]*FLAGS)/,
  /(?:_OPTIONS|_OPTS|_COMMAND|_PRELOAD|_PAGER|_EDITOR|_WRAPPER|_ASKPASS|_PROXY|FLAGS|_SHELL|_HOME)$/,
  /^(?:ENV|IFS|HOME|SHELL|SHELLOPTS|PS0|PS1|PS2|PS3|PS4|PROMPT_COMMAND|EDITOR|VISUAL|PAGER|MANPAGER|BROWSER)$/,
  /^(?:LESSOPEN|LESSCLOSE|ZDOTDIR|TERMINFO|CC|CXX|CPP|AR|AS|LD|MAKE|HOSTALIASES|INPUTRC|HISTFILE|OPENSSL_CONF)$/,
];

/** False: allow rules do not look through it. */
export function isHarmlessAssignment({ name, value, literal }: Assignment): boolean {
  const upper = name.toUpperCase();
  if (RISKY.some((pattern) => pattern.test(upper))) return false;
  // A text that is a command in waiting: arithmetic and `eval` would run it.
  return !(literal && /\$\(|`/.test(value));
}
