/** The options of an agent. */
import type { McpServerFields as McpServerConfig, Settings } from '@gemini-cli/core';
import type { SdkExtension } from '../additions/extension.js';
import type { SkillReference } from '../additions/skill-dir.js';
import type { Subagent } from '../additions/subagent.js';
import type { ApprovalHandler, PolicyRuleInput } from '../approvals/types.js';
import type { AskUserHandler, SessionContext } from '../context/types.js';
import type { AnyHook } from '../hooks/hook.js';
import type { FakeModel } from '../testing/fake-model.js';
import type { AnyTool } from '../tools/tool.js';

export type { McpServerConfig, Settings };

/** A function is asked before every model request. */
export type SystemInstructions = string | ((ctx: SessionContext) => string | Promise<string>);

export type AuthType =
  | 'oauth-personal'
  | 'vertex-ai'
  | 'gateway'
  | 'gemini-api-key'
  | 'compute-default-credentials';

export interface GeminiCliAgentOptions {
  /** They stand before the content of GEMINI.md files. */
  instructions?: SystemInstructions;
  /** The folder the agent works in. Default: that of the process. */
  cwd?: string;
  /** Name or alias. Default: as the settings say, else chosen for each prompt. */
  model?: string;
  tools?: AnyTool[];
  hooks?: AnyHook[];
  skills?: SkillReference[];
  subagents?: Subagent[];
  extensions?: SdkExtension[];
  mcpServers?: Record<string, McpServerConfig>;
  /**
   * `load` (default): the files of user and folder, as for `gemini -p`. `none`: neither files nor installed extensions.
   * An object: these settings over the files. An administrator's settings always count.
   */
  settings?: 'load' | 'none' | Partial<Settings>;
  /** True: the folder is trusted. False: it is not. Absent: as the user has decided. */
  trust?: boolean;
  /** Default: settings, then environment. */
  auth?: { type: AuthType; apiKey?: string; baseUrl?: string; headers?: Record<string, string> };
  /** Default `default`; `yolo` and `autoEdit` need a trusted folder. */
  approvalMode?: 'default' | 'autoEdit' | 'yolo' | 'plan';
  /** Rules of the program, or paths of policy files. They count before those of the settings. */
  policies?: PolicyRuleInput[] | { files: string[] };
  /** Answers where a rule asks. Absent: such calls are refused. */
  onApproval?: ApprovalHandler;
  /** Answers questions of the model and of `ctx.ask`. Absent: the model cannot ask. */
  onAskUser?: AskUserHandler;
  /** False: the conversation is not written to disk. */
  persist?: boolean;
  /** Variables in place of those of the process: keys, `HOME`, `PATH`. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Writes a log to stderr. */
  debug?: boolean;
  /** File that gets each answer of the model, for `fakeResponses`. */
  recordResponses?: string;
  /** Answers instead of a model: such a file, or `fakeModel([…])`. */
  fakeResponses?: string | FakeModel;
}
