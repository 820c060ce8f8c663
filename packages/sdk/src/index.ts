/** `@gemini-cli/sdk`: agents in your own programs. */
export { z } from 'zod';
export {
  type ExtensionDefinition,
  extension,
  type SdkExtension,
} from './additions/extension.js';
export { type SkillReference, skillDir } from './additions/skill-dir.js';
export {
  type AgentSubagent,
  type PromptSubagent,
  type Subagent,
  type SubagentDefinition,
  subagent,
} from './additions/subagent.js';
export { GeminiCliAgent } from './agent/agent.js';
export type {
  AuthType,
  GeminiCliAgentOptions,
  McpServerConfig,
  Settings,
  SystemInstructions,
} from './agent/options.js';
export type { Part, PromptInput, SendOptions, StreamJsonOptions } from './agent/prompt.js';
export { GeminiCliSession } from './agent/session.js';
export type { SessionInfo } from './agent/stored-sessions.js';
export type {
  ApprovalHandler,
  ApprovalOutcome,
  ApprovalRequest,
  ConfirmationDetails,
  PolicyRuleInput,
} from './approvals/types.js';
export type {
  AgentFilesystem,
  AgentShell,
  AgentShellOptions,
  AgentShellProcess,
  AgentShellResult,
  AskUserAnswer,
  AskUserHandler,
  AskUserQuestion,
  FileStat,
  Message,
  SessionContext,
} from './context/types.js';
export {
  GeminiCliError,
  HookBlockError,
  ModelVisibleError,
  PolicyError,
  SessionBusyError,
  SessionClosedError,
} from './errors.js';
export { type ToolResultView, toToolResult } from './events/tool-result.js';
export type {
  AgentStreamEvent,
  ChatCompressionInfo,
  FinishReason,
  SendResult,
  SessionStats,
  StreamJsonItem,
  ToolCallRequestInfo,
  ToolCallResponseInfo,
  ToolCallSummary,
  UsageMetadata,
} from './events/types.js';
export type {
  HookEvent,
  HookEventMap,
  HookOutputOf,
  HookPayload,
  HookResult,
  HookToolInput,
  MessageOnly,
  ToolInputValue,
} from './hooks/event-map.js';
export {
  type AnyHook,
  type Hook,
  type HookAction,
  type HookCommandIo,
  type HookDefinition,
  hook,
} from './hooks/hook.js';
export { FakeModel, type FakeRequest, type FakeTurn, fakeModel } from './testing/fake-model.js';
export type { InputOf, JsonSchemaObject, ToolSchema, Zod3Schema, Zod4Schema } from './tools/schema-types.js';
export {
  type AnyTool,
  type Tool,
  type ToolAction,
  type ToolDefinition,
  type ToolKind,
  tool,
} from './tools/tool.js';
