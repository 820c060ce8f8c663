/** What an agent is: definitions from files, extensions and programs, and what a run of one gives back. */
import type { z } from 'zod';
import type { MessageBus } from '../bus/message-bus.js';
import type { ModelConfig } from '../model/configs/builtin.js';
import type { AgentEventBody } from '../protocol/agent-events.js';
import type { Content, Message } from '../protocol/messages.js';
import type { FunctionDeclaration } from '../protocol/tool-declaration.js';
import type { AnyDeclarativeTool } from '../tools/tools.js';

export enum AgentTerminateMode {
  ERROR = 'ERROR',
  TIMEOUT = 'TIMEOUT',
  GOAL = 'GOAL',
  MAX_TURNS = 'MAX_TURNS',
  ABORTED = 'ABORTED',
  ERROR_NO_COMPLETE_TASK_CALL = 'ERROR_NO_COMPLETE_TASK_CALL',
}

export interface OutputObject {
  result: string;
  terminate_reason: AgentTerminateMode;
  turn_count: number;
  duration_ms: number;
}

/** Where a definition comes from: decides about trust, and names the file in messages. */
export interface AgentSource {
  kind: 'builtin' | 'user' | 'project' | 'extension' | 'program';
  file?: string;
  extensionName?: string;
  /** Of the file, the card URL or the inline card: what the user acknowledged. */
  hash?: string;
}

interface BaseAgentDefinition<TOutput extends z.ZodTypeAny = z.ZodUnknown> {
  /** A slug: letters, digits, `-`, `_`. */
  name: string;
  displayName?: string;
  description: string;
  /** True: disabled until the user enables it. */
  experimental?: boolean;
  inputConfig: InputConfig;
  outputConfig?: OutputConfig<TOutput>;
  source?: AgentSource;
}

/** Runs in this process, with a conversation of its own. */
export interface LocalAgentDefinition<TOutput extends z.ZodTypeAny = z.ZodUnknown>
  extends BaseAgentDefinition<TOutput> {
  kind: 'local';
  promptConfig: PromptConfig;
  /** `model: 'inherit'`: the main agent's. */
  modelConfig: ModelConfig;
  runConfig: RunConfig;
  /** Absent: all tools of the main agent. */
  toolConfig?: ToolConfig;
  /** Servers connected for each run only, as written in the file (read and checked by `mcp/`). */
  mcpServers?: Readonly<Record<string, unknown>>;
  /** `worktree`: runs in a git worktree of its own (`agents.overrides.<name>.isolation`). Absent: `none`. */
  isolation?: 'none' | 'worktree';
  processOutput?: (output: z.infer<TOutput>) => string;
  /** Looks at the agent's work when it reports. @returns what it must correct first; undefined: the run ends */
  reviewOutput?: (report: string) => Promise<string | undefined>;
  /** Tools that live as long as one run (a browser, servers of its own). */
  openTools?: (run: AgentRunScene) => Promise<AgentRunTools>;
  /** Awaited before each model request. */
  beforeTurn?: (run: AgentRunScene & { turn: number; conversation: AgentConversation }) => Promise<void>;
  /** Parts that are read when a run begins, so that a start does not pay for them. Called for each run. */
  load?: (inputs: AgentInputs, signal: AbortSignal) => Promise<LoadedParts<TOutput>>;
  /** The program does the work itself; prompts, model and tools of the definition are not used. */
  runByProgram?: (work: ProgramWork) => Promise<string>;
}

/** One run that the program does itself. */
export interface ProgramWork {
  prompt: string;
  runId: string;
  signal: AbortSignal;
  /** What front ends show of it: the events of the agent that does it, without questions. */
  onEvent(event: AgentEventBody): void;
}

/** Each one replaces what the definition says. */
export type LoadedParts<TOutput extends z.ZodTypeAny = z.ZodUnknown> = Partial<
  Pick<
    LocalAgentDefinition<TOutput>,
    'promptConfig' | 'outputConfig' | 'processOutput' | 'openTools' | 'beforeTurn'
  >
>;

/** The history of one run, which `beforeTurn` may shorten. */
export interface AgentConversation {
  /** The message that is about to be sent; not in the history yet. */
  next: Message;
  read(): readonly Message[];
  replace(history: readonly Message[]): void;
}

/** Runs on a server that speaks A2A. */
export interface RemoteAgentDefinition<TOutput extends z.ZodTypeAny = z.ZodUnknown>
  extends BaseAgentDefinition<TOutput> {
  kind: 'remote';
  /** Absent only where `agentCardJson` is given. */
  agentCardUrl?: string;
  /** The card itself, as JSON text. */
  agentCardJson?: string;
  /** As written in the file, checked by `agents/definition/`; secrets are resolved at the request. */
  auth?: RemoteAgentAuth;
}

// biome-ignore lint/suspicious/noExplicitAny: a definition with any output type.
export type AgentDefinition = LocalAgentDefinition<any> | RemoteAgentDefinition<any>;

export interface PromptConfig {
  /** `${input_name}` is replaced by the input; unknown placeholders stay. */
  systemPrompt?: string;
  /** Examples, before the first message. */
  initialMessages?: Content[];
  /** The first message; placeholders as above. */
  query?: string;
}

export interface RunConfig {
  maxTimeMinutes: number;
  maxTurns?: number;
}

/** Either a map of simple inputs, or a JSON Schema of an object. */
export interface InputConfig {
  inputs?: Record<
    string,
    {
      description: string;
      type: 'string' | 'number' | 'boolean' | 'integer' | 'string[]' | 'number[]';
      required: boolean;
    }
  >;
  inputSchema?: Readonly<Record<string, unknown>>;
}

export type AgentInputs = Record<string, unknown>;

export interface OutputConfig<TOutput extends z.ZodTypeAny = z.ZodUnknown> {
  /** The parameter of `complete_task`. */
  outputName: string;
  description: string;
  /** A zod schema in code; a JSON Schema in files. */
  schema: TOutput | Readonly<Record<string, unknown>>;
}

export interface ToolConfig {
  tools: Array<string | FunctionDeclaration | AnyDeclarativeTool>;
}

/** One run, as what serves it sees it. */
export interface AgentRunScene {
  agentName: string;
  /** The run's own bus: confirmations name the agent. */
  bus: MessageBus;
  signal: AbortSignal;
}

export interface AgentRunTools {
  tools: AnyDeclarativeTool[];
  /** Tools of the session that these replace in the run. */
  hides?(tool: AnyDeclarativeTool): boolean;
  close(): Promise<void>;
}

export type RemoteAgentAuth =
  | { type: 'apiKey'; key: string; name?: string }
  | {
      type: 'http';
      scheme: string;
      token?: string;
      username?: string;
      password?: string;
      value?: string;
    }
  | { type: 'google-credentials'; scopes?: string[] }
  | {
      type: 'oauth';
      client_id?: string;
      client_secret?: string;
      scopes?: string[];
      authorization_url?: string;
      token_url?: string;
      issuer?: string;
      audiences?: string[];
      redirect_uri?: string;
      token_param_name?: string;
      registration_url?: string;
    };

export interface SubagentActivityEvent {
  isSubagentActivityEvent: true;
  agentName: string;
  type: 'TOOL_CALL_START' | 'TOOL_CALL_END' | 'THOUGHT_CHUNK' | 'ERROR';
  data: Record<string, unknown>;
}

/** What remote agents offer to `invoke_agent`; made in `agents/remote/`. */
export interface RemoteAgents {
  /** Description for the model: the user's, then the card's and its skills. */
  describe(definition: RemoteAgentDefinition): string;
  /**
   * Sends one message and follows the answer to its end. Failures of the server are text, after what arrived before them.
   * @throws only when the signal is aborted; the task on the server is cancelled then
   */
  invoke(
    definition: RemoteAgentDefinition,
    query: string,
    options: { signal: AbortSignal; onUpdate?: (text: string) => void },
  ): Promise<RemoteAnswer>;
}

export interface RemoteAnswer {
  /** What the server sent, or why it sent nothing more: not trusted. */
  text: string;
  /** How the call ended, in the words of the program; absent: with the text. */
  ending?: string;
  isError: boolean;
}
