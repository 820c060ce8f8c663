/** What the shell parser finds out about a command line. */

export interface Word {
  /** Value after quotes and escapes are removed; the source where it is not known. */
  text: string;
  source: string;
  /** No expansion decides about its value; globs and a leading tilde are told apart below. */
  literal: boolean;
  glob: boolean;
  tilde: boolean;
}

export interface Redirection {
  kind: 'input' | 'output' | 'heredoc' | 'herestring';
  target?: Word;
  /** Of a here-document or here-string without expansions. */
  body?: string;
  /** The same as written, expansions still in it. */
  raw?: string;
}

export interface Assignment {
  name: string;
  value: string;
  literal: boolean;
}

export interface SimpleCommand {
  /** Name as the shell looks it up, quotes removed. Empty: nothing is started. */
  name: string;
  words: Word[];
  assignments: Assignment[];
  redirections: Redirection[];
  /** The words, quoted where needed: what rules are matched against. */
  text: string;
  /** Those that are not words or script of a command it starts. */
  ownWords: Word[];
  /** Programs in front of it (`sudo`, `bash -c` …), outermost first. */
  via: string[];
  /** What it runs cannot be seen in the text: `$X`, `eval "$Y"`, a shell that reads its input. */
  dynamic: boolean;
  /** Starts the next command and does nothing else (`timeout`, `nice`, `env` without options). */
  transparent: boolean;
  /** Commands it might start instead, if its options mean something else than we think. */
  alternatives: Word[][];
  /** Gets arguments that are not in the text (`xargs`, `find -exec`). */
  openArguments: boolean;
}

export interface ParsedCommand {
  /** In the order of the text; a wrapper stands before what it starts. */
  commands: SimpleCommand[];
  /** Assignments that stay in force for later commands. */
  assignments: Assignment[];
  /** All that is evaluated as arithmetic, in which `a[$(id)]` runs `id`. */
  expressions: string[];
  /** Some command reads what another one prints. */
  piped: boolean;
  /** Unique names. */
  roots: string[];
  /** `redirection (>)`, `command substitution`, `subshell` … */
  structure: string[];
}
