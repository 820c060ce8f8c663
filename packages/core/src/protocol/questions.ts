/** Questions the engine asks the user, and their answers: plain data, so that they can cross a wire. */
import type {
  ToolCallConfirmationDetails,
  ToolConfirmationOutcome,
  ToolConfirmationPayload,
  UserQuestion,
} from './confirmation.js';

/** A tool's confirmation details without their functions, which stay with the engine. */
export type ConfirmationView = DataOf<ToolCallConfirmationDetails>;
type DataOf<T> = T extends unknown ? Omit<T, 'onConfirm' | 'ideConfirmation'> : never;

/** A tool call needs permission, an answer (`ask_user`), or more sandbox permissions: see `details.type`. */
export interface ToolConfirmationQuestion {
  kind: 'tool_confirmation';
  toolName: string;
  args: Readonly<Record<string, unknown>>;
  /** What to show; absent if a program published the request on the message bus without any. */
  details?: ConfirmationView;
  callId?: string;
  /** Digest of the tool and its final arguments; an approval holds for this digest alone. */
  digest?: string;
  serverName?: string;
  /** Path of the agent, `parent/child`; absent for the main agent. */
  subagent?: string;
}

/** A tool asks the user directly (`ask-user-request` on the message bus). */
export interface AskUserQuestion {
  kind: 'ask_user';
  questions: UserQuestion[];
}

/** A model fails: another one could answer instead, or the user wants to wait. */
export interface ModelFallbackQuestion {
  kind: 'model_fallback';
  from: string;
  /** Absent: no other model is available. */
  to?: string;
  /** Trying the same model again may help: `retry_later` does so until it answers. */
  canWait: boolean;
  reason: string;
  errorClass: string;
}

/** The project has policy files that are new or have changed. */
export interface WorkspacePoliciesQuestion {
  kind: 'workspace_policies';
  files: readonly string[];
  state: 'new' | 'changed';
  /** How many of their rules allow tools to run without asking. */
  allowRules: number;
}

/** The user has not decided yet whether to trust the folder. */
export interface FolderTrustQuestion {
  kind: 'folder_trust';
  folder: string;
}

export type Question =
  | ToolConfirmationQuestion
  | AskUserQuestion
  | ModelFallbackQuestion
  | WorkspacePoliciesQuestion
  | FolderTrustQuestion;

export type QuestionKind = Question['kind'];

export interface ToolConfirmationAnswer {
  outcome: ToolConfirmationOutcome;
  payload?: ToolConfirmationPayload;
  /** Repeats the question's digest: the answer then counts for nothing else. */
  digest?: string;
}

export type FallbackIntent =
  | 'retry_always'
  | 'retry_once'
  | 'retry_later'
  | 'retry_with_credits'
  | 'upgrade'
  | 'stop';

/** The value for `answer(id, value)`, by kind of question. */
export interface Answers {
  tool_confirmation: ToolConfirmationAnswer;
  ask_user: { answers: Record<string, string> };
  model_fallback: FallbackIntent;
  workspace_policies: boolean;
  folder_trust: boolean;
}

export type Answer = Answers[QuestionKind];
