/**
 * `@gemini-cli/core` as other programs import it: the index, the tools, and further public names. The program `gemini`
 * is built from `index.ts` alone, because it loads most of the rest only on first use.
 */

export {
  type AgentInfo,
  AgentScheduler,
  type AgentSchedulerOptions,
  type AgentTask,
  type AgentTaskResult,
  type SchedulableAgent,
} from './agent/agent-scheduler.js';
export { type ExecutorOptions, LocalAgentExecutor } from './agents/run/local-executor.js';
export type {
  AgentInputs,
  InputConfig,
  OutputConfig,
  OutputObject,
  ProgramWork,
  PromptConfig,
  RunConfig,
  SubagentActivityEvent,
  ToolConfig,
} from './agents/types.js';
export {
  type CommandDetail,
  getCommandRoots,
  type ParsedCommandDetails,
  parseCommandDetails,
  stripShellWrapper,
} from './base/shell-line.js';
export { ChatCompressionService } from './context/compression/compress.js';
export { ContextManager } from './context/context-manager.js';
export { ContextGraphBuilder } from './context/graph/build.js';
export { getStableId, type NodeIdentityMap } from './context/graph/stable-id.js';
export { RollingSummaryProcessor } from './context/pipeline/rolling-summary.js';
export type { ProgramParts, ProgramTool } from './engine/program-parts.js';
export { HookSystem } from './hooks/hook-system.js';
export type {
  LLMCandidate,
  LLMFinishReason,
  LLMRequest,
  LLMResponse,
  LLMToolConfig,
} from './hooks/llm-types.js';
export { HookRegistry } from './hooks/registry.js';
export { HookRunner, type HookRunnerOptions } from './hooks/runner.js';
export {
  type AfterAgentInput,
  type AfterAgentOutput,
  type AfterModelInput,
  type AfterModelOutput,
  type AfterToolInput,
  type AfterToolOutput,
  type BeforeAgentInput,
  type BeforeAgentOutput,
  type BeforeModelInput,
  type BeforeModelOutput,
  type BeforeToolInput,
  type BeforeToolOutput,
  type BeforeToolSelectionInput,
  type BeforeToolSelectionOutput,
  ConfigSource,
  type HookDecision,
  type HookDefinition,
  HookEventName,
  type HookExecutionResult,
  type HookInput,
  type HookOutput,
  type McpToolContext,
  type NotificationInput,
  type PreCompressInput,
  type SessionEndInput,
  type SessionStartInput,
  type SessionStartOutput,
} from './hooks/types.js';
export * from './index.js';
export { type MCPOAuthConfig, MCPServerConfig } from './mcp/config.js';
export { MCPServerStatus, McpClient } from './mcp/mcp-client.js';
export { MCPDiscoveryState, McpClientManager } from './mcp/mcp-client-manager.js';
export { applyAdminAllowlist, getAdminBlockedMcpServersMessage } from './mcp/servers/admin-lists.js';
export { canLoadServer } from './mcp/servers/can-load.js';
export { convertMcpToolToFunctionDeclaration } from './mcp/tools/declaration.js';
export { McpToolWrapper } from './mcp/tools/mcp-tool-wrapper.js';
export type {
  Candidate,
  GenerateRequest,
  GenerateResponse,
} from './model/content-generator.js';
export { ApiError } from './model/errors/api-error.js';
export { type ModelPolicy, resolvePolicyChain } from './model/fallback/policy-chains.js';
export { keepCompiledCode, keepCompiledCodeAtExit } from './platform/compiled-code/compiled.js';
export { debugLogger } from './platform/debug-logger.js';
export { LinuxSandboxManager } from './platform/sandbox/linux/linux-manager.js';
export { MacOsSandboxManager } from './platform/sandbox/macos/macos-manager.js';
export type { SandboxManager } from './platform/sandbox/types.js';
export type { SandboxConfig } from './platform/sandbox/whole-program/select.js';
export { WindowsSandboxManager } from './platform/sandbox/windows-manager.js';
export { type ProgramCommand, startProgramCommand } from './platform/shell/program-command.js';
export { compileProgramRules, type ProgramRule } from './policy/rules/program-rules.js';
export type { AgentMessage } from './protocol/agent-message.js';
export type { BusMessage } from './protocol/confirmation.js';
export type { PartUnion } from './protocol/messages.js';
export type { OutputFormat, OutputSettings } from './protocol/output-settings.js';
export { READ_FILE as READ_FILE_TOOL_NAME } from './protocol/tool-names.js';
export { exportHistoryToFile } from './sessions/exports/export-markdown.js';
export { listSessions, type TextMatch } from './sessions/finding/session-info.js';
export { type SessionSelectionResult, SessionSelector } from './sessions/finding/session-selector.js';
export { convertSessionToHistoryFormats } from './sessions/reading/convert.js';
export { readSession as loadSession } from './sessions/reading/read-session.js';
export { ChatRecordingService } from './sessions/recording/chat-recording-service.js';
export { SessionError, type SessionErrorCode } from './sessions/session-error.js';
export { createSessionId } from './sessions/session-names.js';
export { deleteSession, exportSession, saveSession } from './sessions/session-operations.js';
export { loadSkillFromFile, loadSkillsFromDir } from './skills/loader.js';
export type { TelemetrySettings } from './telemetry/settings.js';
export { type ProcessedFileReadResult, processSingleFileContent } from './tools/read-file/single-file.js';
export * from './tools.js';
export { compileInclude } from './workspace/glob-match.js';
export { makeRelative, shortenPath } from './workspace/tool-path.js';
