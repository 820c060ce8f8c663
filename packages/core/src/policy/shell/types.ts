/** The parsed form of a command line. */

export interface Word {
  /** Value without quotes and escapes; the source if the value is unknown. */
  text: string;
  source: string;
  /** The value is known: no expansion. Globs and a leading tilde are marked separately. */
  literal: boolean;
  glob: boolean;
  tilde: boolean;
}

export interface Redirection {
  kind: 'input' | 'output' | 'heredoc' | 'herestring';
  target?: Word;
  /** Text of a here-document or here-string without expansions. */
  body?: string;
  /** The same text as written, with expansions. */
  raw?: string;
}

export interface Assignment {
  name: string;
  value: string;
  literal: boolean;
}

export interface SimpleCommand {
  /** The program's name without quotes. Empty: nothing is started. */
  name: string;
  words: Word[];
  assignments: Assignment[];
  redirections: Redirection[];
  /** The words, quoted where needed, for matching with rules. */
  text: string;
  /** The words that do not belong to a command it starts. */
  ownWords: Word[];
  /** The programs that start it (`sudo`, `bash -c` …), outermost first. */
  via: string[];
  /** What it runs is not in the text: `$X`, `eval "$Y"`, a shell that reads its input. */
  dynamic: boolean;
  /** It only starts the next command (`timeout`, `nice`, `env` without options). */
  transparent: boolean;
  /** Commands it would start if its options were read differently. */
  alternatives: Word[][];
  /** It gets arguments that are not in the text (`xargs`, `find -exec`). */
  openArguments: boolean;
}

export interface ParsedCommand {
  /** In the order of the text; a wrapper comes before what it starts. */
  commands: SimpleCommand[];
  /** Assignments that hold for later commands. */
  assignments: Assignment[];
  /** Texts that are evaluated as arithmetic, where `a[$(id)]` runs `id`. */
  expressions: string[];
  /** The line contains a pipe. */
  piped: boolean;
  /** Unique program names. */
  roots: string[];
  /** `redirection (>)`, `command substitution`, `subshell` … */
  structure: string[];
}
