/** What tools, hooks, instructions and handlers get beside their own arguments. */
import type { Part } from '@gemini-cli/core/protocol';
import type { GeminiCliAgent } from '../agent/agent.js';
import type { GeminiCliSession } from '../agent/session.js';

/** One message of the conversation. */
export interface Message {
  role: 'user' | 'model';
  parts: Part[];
}

export interface SessionContext {
  readonly sessionId: string;
  /** The conversation so far; a copy that does not grow. */
  readonly transcript: Message[];
  /** Folder of the session. */
  readonly cwd: string;
  /** ISO 8601, when this context was made. */
  readonly timestamp: string;
  /** Files, under the rules of the session. */
  readonly fs: AgentFilesystem;
  /** Commands, under the policy and in the sandbox of the session. */
  readonly shell: AgentShell;
  readonly agent: GeminiCliAgent;
  readonly session: GeminiCliSession;
  /** Aborts when the prompt is cancelled, the limit of a hook is reached, or the session is closed. */
  readonly signal: AbortSignal;
  /** Asks the user through `onAskUser`. Rejects without it. */
  ask(questions: AskUserQuestion | AskUserQuestion[]): Promise<AskUserAnswer>;
  /** Writes to the debug log. */
  log(message: string): void;
}

/** Relative paths are relative to the folder of the session. */
export interface AgentFilesystem {
  /** Null: it does not exist, is not a text, or may not be read. */
  readFile(path: string): Promise<string | null>;
  /** @throws PolicyError or an Error that says why it cannot be read */
  read(path: string): Promise<string>;
  /** Creates missing folders. @throws PolicyError */
  writeFile(path: string, content: string): Promise<void>;
  /** The same as `writeFile`. */
  write(path: string, content: string): Promise<void>;
  readBinary(path: string): Promise<Uint8Array | null>;
  exists(path: string): Promise<boolean>;
  stat(path: string): Promise<FileStat | null>;
  /** Names in a folder; folders end with `/`. Ignored files are left out. */
  list(path: string): Promise<string[]>;
  /** Paths relative to the folder of the session, sorted. Ignored files are left out. */
  glob(pattern: string, options?: { cwd?: string; limit?: number }): Promise<string[]>;
  /** A file, or an empty folder. @throws PolicyError */
  delete(path: string): Promise<void>;
  /** With its parents. @throws PolicyError */
  mkdir(path: string): Promise<void>;
}

export interface FileStat {
  size: number;
  mtimeMs: number;
  isDirectory: boolean;
}

export interface AgentShell {
  /** Runs a command to its end; more than 32 MB of output end it. Never rejects: what went wrong is `error`. */
  exec(command: string, options?: AgentShellOptions): Promise<AgentShellResult>;
  /** Starts a command. What went wrong rejects `exited`; a reader more than 32 MB behind the command fails. */
  start(command: string, options?: AgentShellOptions): AgentShellProcess;
}

export interface AgentShellOptions {
  /** Further variables. */
  env?: Record<string, string>;
  /** Then the command and all that it started is killed. */
  timeoutSeconds?: number;
  cwd?: string;
  /** A pseudo-terminal: all output is `stdout`. */
  pty?: boolean;
  /** Written to stdin, which is then closed. */
  input?: string;
  signal?: AbortSignal;
}

export interface AgentShellResult {
  /** Null: it was killed, or did not start. */
  exitCode: number | null;
  /** Both streams, in the order in which they arrived. */
  output: string;
  stdout: string;
  stderr: string;
  timedOut: boolean;
  /** A refusal (`PolicyError`), or why it could not be started. */
  error?: Error;
}

export interface AgentShellProcess extends AsyncIterable<{ stream: 'stdout' | 'stderr'; data: string }> {
  readonly pid: number | undefined;
  readonly stdout: AsyncIterable<string>;
  readonly stderr: AsyncIterable<string>;
  write(data: string): void;
  endInput(): void;
  /** Only with `pty`. */
  resize(columns: number, rows: number): void;
  /** The command and all that it started. */
  kill(signal?: NodeJS.Signals): void;
  readonly exited: Promise<{ exitCode: number | null; signal?: string; timedOut?: boolean }>;
}

export interface AskUserQuestion {
  question: string;
  /** A word or two. */
  header: string;
  /** Absent: `choice` with options, else `text`. */
  type?: 'choice' | 'text' | 'yesno';
  options?: { label: string; description: string }[];
  multiSelect?: boolean;
  placeholder?: string;
}

/** Answers by the index of the question, from `"0"`. */
export interface AskUserAnswer {
  answers: Record<string, string>;
}

/** Undefined: the user gave no answer. */
export type AskUserHandler = (
  questions: AskUserQuestion[],
  ctx: SessionContext,
) => AskUserAnswer | undefined | Promise<AskUserAnswer | undefined>;
