/** Questions about tool calls: approval modes, what is shown, outcomes, and messages of the bus. */
import type { FunctionCall } from './messages.js';
import type { ConfirmationView } from './questions.js';
import type { DiffStat } from './tool-display.js';

export enum ToolConfirmationOutcome {
  ProceedOnce = 'proceed_once',
  ProceedAlways = 'proceed_always',
  ProceedAlwaysAndSave = 'proceed_always_and_save',
  ProceedAlwaysServer = 'proceed_always_server',
  ProceedAlwaysTool = 'proceed_always_tool',
  ModifyWithEditor = 'modify_with_editor',
  Cancel = 'cancel',
}

export enum PolicyDecision {
  ALLOW = 'allow',
  DENY = 'deny',
  ASK_USER = 'ask_user',
}

export enum ApprovalMode {
  DEFAULT = 'default',
  AUTO_EDIT = 'autoEdit',
  YOLO = 'yolo',
  PLAN = 'plan',
}

/** What a front end may send along with an outcome. */
export interface ToolConfirmationPayload {
  /** Replaces the proposed content of an edit. */
  newContent?: string;
  /** Replaces the arguments of the call; they are validated and judged again, and not asked about again. */
  args?: Record<string, unknown>;
  /** Answers of `ask_user`, by question index. */
  answers?: Record<string, string>;
  approved?: boolean;
  approvalMode?: ApprovalMode;
  feedback?: string;
  /** With `ProceedAlwaysAndSave`: the chosen one of `projectAnswers`, from 0. */
  projectAnswer?: number;
}

/** An answer that holds in this project from now on, in later sessions too. */
export interface ProjectAnswer {
  /** All calls of this kind, or this file or command alone. */
  covers: 'project' | 'call';
  /** Exactly this is shown and saved. */
  rule: PolicyUpdateOptions;
}

export interface DiffUpdateResult {
  status: 'accepted' | 'rejected';
  content?: string;
}

type OnConfirm = (outcome: ToolConfirmationOutcome, payload?: ToolConfirmationPayload) => Promise<void>;

interface ConfirmationBase {
  title: string;
  systemMessage?: string;
  /** What a front end may offer; a question on the bus always has it. */
  offeredOutcomes?: ToolConfirmationOutcome[];
  /** The one of them to preselect; absent: the first. */
  suggestedOutcome?: ToolConfirmationOutcome;
  /** What an "always" answer would allow, computed with the question: exactly this is shown and stored. */
  always?: PolicyUpdateOptions;
  /** Absent: nothing can be allowed for the project. */
  projectAnswers?: readonly ProjectAnswer[];
  /** No rule can express this request, so an answer counts for this call alone. */
  onlyOnce?: true;
  onConfirm: OnConfirm;
}

export interface ToolEditConfirmationDetails extends ConfirmationBase {
  type: 'edit';
  fileName: string;
  /** The real path, for opening the file; `title` and `fileName` are for display. */
  filePath: string;
  fileDiff: string;
  originalContent: string | null;
  newContent: string;
  isModifying?: boolean;
  diffStat?: DiffStat;
  ideConfirmation?: Promise<DiffUpdateResult>;
}

export interface ToolExecuteConfirmationDetails extends ConfirmationBase {
  type: 'exec';
  command: string;
  /** Comma-separated, for display. */
  rootCommand: string;
  rootCommands: string[];
  commands?: string[];
}

export interface ToolMcpConfirmationDetails extends ConfirmationBase {
  type: 'mcp';
  serverName: string;
  toolName: string;
  toolDisplayName: string;
  toolArgs?: Record<string, unknown>;
  toolDescription?: string;
  toolParameterSchema?: unknown;
}

export interface ToolInfoConfirmationDetails extends ConfirmationBase {
  type: 'info';
  prompt: string;
  urls?: string[];
}

export interface UserQuestion {
  question: string;
  header: string;
  type?: 'choice' | 'text' | 'yesno';
  options?: { label: string; description: string }[];
  multiSelect?: boolean;
  placeholder?: string;
  /** Only the options can be chosen; words of the user's own would mean nothing. */
  isClosed?: boolean;
}

export interface ToolAskUserConfirmationDetails extends ConfirmationBase {
  type: 'ask_user';
  questions: UserQuestion[];
  /** Absent: the model or a tool. */
  asker?: 'program';
}

export interface ToolExitPlanModeConfirmationDetails extends ConfirmationBase {
  type: 'exit_plan_mode';
  planPath: string;
}

/**
 * The sandbox of a command that runs without a question because we took it for harmless: it writes nothing, or (an edit
 * in auto_edit mode) only the workspace without its protected paths. Neither has network or sockets.
 */
export type Containment = 'read-only' | 'workspace';

export interface SandboxPermissions {
  network?: boolean;
  fileSystem?: { read?: string[]; write?: string[] };
}

export interface ToolSandboxExpansionConfirmationDetails extends ConfirmationBase {
  type: 'sandbox_expansion';
  command: string;
  rootCommand: string;
  additionalPermissions: SandboxPermissions;
}

export type ToolCallConfirmationDetails =
  | ToolEditConfirmationDetails
  | ToolExecuteConfirmationDetails
  | ToolMcpConfirmationDetails
  | ToolInfoConfirmationDetails
  | ToolAskUserConfirmationDetails
  | ToolExitPlanModeConfirmationDetails
  | ToolSandboxExpansionConfirmationDetails;

/** How an "always" answer narrows its rule. */
export interface PolicyUpdateOptions {
  commandPrefix?: string | string[];
  /** Only this exact command line. */
  commandExact?: string;
  /** Only for this real path: the file of a file tool, the folder of a command. */
  path?: string;
  /** Only for files in this folder (real path) that are not protected. */
  folder?: string;
  argsPattern?: string;
  mcpName?: string;
  /** Only for calls of this agent. */
  subagent?: string;
  toolName?: string;
  allowRedirection?: boolean;
}

export enum MessageBusType {
  TOOL_CONFIRMATION_REQUEST = 'tool-confirmation-request',
  TOOL_CONFIRMATION_RESPONSE = 'tool-confirmation-response',
  TOOL_POLICY_REJECTION = 'tool-policy-rejection',
  UPDATE_POLICY = 'update-policy',
  ASK_USER_REQUEST = 'ask-user-request',
  ASK_USER_RESPONSE = 'ask-user-response',
  SUBAGENT_ACTIVITY = 'subagent-activity',
}

export interface ToolConfirmationRequest {
  type: MessageBusType.TOOL_CONFIRMATION_REQUEST;
  toolCall: FunctionCall;
  correlationId: string;
  serverName?: string;
  toolAnnotations?: Record<string, unknown>;
  subagent?: string;
  /** Set once policy has said "ask": what to show. */
  details?: ConfirmationView;
  /** Digest of the tool and its final arguments; an approval holds for this digest alone. */
  digest?: string;
  forcedDecision?: PolicyDecision;
}

export interface ToolConfirmationResponse {
  type: MessageBusType.TOOL_CONFIRMATION_RESPONSE;
  correlationId: string;
  confirmed: boolean;
  outcome?: ToolConfirmationOutcome;
  payload?: ToolConfirmationPayload;
  /** If set, the digest of the request: the answer then counts for nothing else. */
  digest?: string;
  requiresUserConfirmation?: boolean;
}

export interface ToolPolicyRejection {
  type: MessageBusType.TOOL_POLICY_REJECTION;
  toolCall: FunctionCall;
  reason?: string;
}

export interface UpdatePolicy extends PolicyUpdateOptions {
  type: MessageBusType.UPDATE_POLICY;
  toolName: string;
  persist?: boolean;
  persistScope?: 'workspace' | 'user';
  modes?: ApprovalMode[];
}

export interface AskUserRequest {
  type: MessageBusType.ASK_USER_REQUEST;
  correlationId: string;
  questions: UserQuestion[];
}

export interface AskUserResponse {
  type: MessageBusType.ASK_USER_RESPONSE;
  correlationId: string;
  answers: Record<string, string>;
  cancelled?: boolean;
}

/** A step of a sub-agent, for programs that watch the bus. */
export interface SubagentActivityMessage {
  type: MessageBusType.SUBAGENT_ACTIVITY;
  activity: {
    isSubagentActivityEvent: true;
    agentName: string;
    type: 'TOOL_CALL_START' | 'TOOL_CALL_END' | 'THOUGHT_CHUNK' | 'ERROR';
    data: Record<string, unknown>;
  };
}

export type BusMessage =
  | ToolConfirmationRequest
  | ToolConfirmationResponse
  | ToolPolicyRejection
  | UpdatePolicy
  | AskUserRequest
  | AskUserResponse
  | SubagentActivityMessage;
