/** Questions the engine asks the user, and their answers: plain data, so that they can cross a wire. */
import type {
  ToolCallConfirmationDetails,
  ToolConfirmationOutcome,
  ToolConfirmationPayload,
  UserQuestion,
} from './confirmation.js';
import type { ElicitationAnswer, ElicitationQuestion } from './elicitation.js';

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
  /** The question is the program's own, such as one of a sign-in. Absent: the model's or a tool's. */
  asker?: 'program';
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
  /** Credits of the Google account: they can pay for the request, or must be bought first. */
  credits?: 'usable' | 'empty';
  /** A plan with higher limits exists for this account. */
  canUpgrade?: boolean;
}

/** Google refuses the account until the user has verified it, or for good. */
export interface AccountProblemQuestion {
  kind: 'account_problem';
  problem: 'verification' | 'blocked';
  reason: string;
  /** Where the user can verify, or appeal. */
  link?: string;
}

/** The organisation of the account has changed its controls; they apply after a restart of the engine. */
export interface AdminChangedQuestion {
  kind: 'admin_changed';
}

/** The project has policy files that are new or have changed. */
export interface WorkspacePoliciesQuestion {
  kind: 'workspace_policies';
  files: readonly string[];
  state: 'new' | 'changed';
  /** How many of their rules allow tools to run without asking. */
  allowRules: number;
}

/** The project has agents that are new or have changed since the user acknowledged them. */
export interface ProjectAgentsQuestion {
  kind: 'project_agents';
  agents: readonly { name: string; description: string; file: string; state: 'new' | 'changed' }[];
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
  | AccountProblemQuestion
  | AdminChangedQuestion
  | WorkspacePoliciesQuestion
  | ProjectAgentsQuestion
  | FolderTrustQuestion
  | ElicitationQuestion;

export type QuestionKind = Question['kind'];

export interface ToolConfirmationAnswer {
  outcome: ToolConfirmationOutcome;
  payload?: ToolConfirmationPayload;
  /** Repeats the question's digest: the answer then counts for nothing else. */
  digest?: string;
}

export const FALLBACK_INTENTS = [
  'retry_always',
  'retry_once',
  'retry_later',
  'retry_with_credits',
  'upgrade',
  'stop',
] as const;
export type FallbackIntent = (typeof FALLBACK_INTENTS)[number];

/** The value for `answer(id, value)`, by kind of question. */
export interface Answers {
  tool_confirmation: ToolConfirmationAnswer;
  ask_user: { answers: Record<string, string> };
  model_fallback: FallbackIntent;
  /** `retry`: the user has verified the account. */
  account_problem: 'retry' | 'stop';
  /** True: the front end restarts the engine. */
  admin_changed: boolean;
  workspace_policies: boolean;
  /** True: they are acknowledged in this form, and enabled. */
  project_agents: boolean;
  folder_trust: boolean;
  mcp_elicitation: ElicitationAnswer;
}

export type Answer = Answers[QuestionKind];
