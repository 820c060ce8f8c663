/** What a tool shows to the user, as data; every front end draws it its own way. */

export interface DiffStat {
  model_added_lines: number;
  model_removed_lines: number;
  model_added_chars: number;
  model_removed_chars: number;
  user_added_lines: number;
  user_removed_lines: number;
  user_added_chars: number;
  user_removed_chars: number;
}

export interface FileDiff {
  /** Unified diff, three lines of context. */
  fileDiff: string;
  fileName: string;
  filePath: string;
  originalContent: string | null;
  newContent: string;
  diffStat?: DiffStat;
  isNewFile?: boolean;
}

export type TodoStatus = 'pending' | 'in_progress' | 'completed' | 'cancelled' | 'blocked';

export interface Todo {
  description: string;
  status: TodoStatus;
}

export interface TodoList {
  todos: Todo[];
}

/** A run of equally styled characters of a terminal line. */
export interface AnsiToken {
  text: string;
  bold: boolean;
  italic: boolean;
  underline: boolean;
  dim: boolean;
  inverse: boolean;
  /** `#rrggbb`, a palette index as text, or empty for the default. */
  fg: string;
  bg: string;
}

export type AnsiLine = AnsiToken[];
export type AnsiOutput = AnsiLine[];

export interface GrepDisplay {
  summary: string;
  matches: { filePath: string; lineNumber: number; line: string }[];
}

export interface ListDisplay {
  summary: string;
  files: string[];
}

export interface ReadManyDisplay extends ListDisplay {
  skipped: { path: string; reason: string }[];
  include: string[];
  excludes: string[];
  targetDir: string;
}

/** One step of a sub-agent, as users see it. */
export interface SubagentActivity {
  id?: string;
  /** `thought` or `tool_call`. */
  type: string;
  content: string;
  displayName?: string;
  description?: string;
  /** Secret values are masked. */
  args?: Record<string, unknown>;
  /** `running`, `completed`, `error`, `cancelled`. */
  status?: string;
}

/** A run of a sub-agent: what is shown while it works, and at its end. */
export interface SubagentProgress {
  isSubagentProgress: true;
  agentName: string;
  recentActivity: SubagentActivity[];
  state?: 'running' | 'completed' | 'error' | 'cancelled';
  result?: string;
  terminateReason?: string;
  /** Names its transcript. */
  agentId?: string;
  turns?: number;
  toolCalls?: number;
  tokens?: number;
}

/** What a running tool shows. */
export type LiveOutput = string | AnsiOutput | SubagentProgress;

export type ToolResultDisplay =
  | string
  | FileDiff
  | AnsiOutput
  | TodoList
  | GrepDisplay
  | ListDisplay
  | ReadManyDisplay
  | SubagentProgress;
