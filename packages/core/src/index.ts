/** Public API of the engine: explicit named exports. */
export { AgentSession, type UserCall } from './agent/agent-session.js';
export { GeminiChat } from './agent/chat/gemini-chat.js';
export { Turn } from './agent/chat/turn.js';
export type { TurnEvent } from './agent/chat/turn-event.js';
export { toErrorInfo } from './agent/error-info.js';
export { FixedModel } from './agent/fixed-model.js';
export { GeminiClient, type SendMessageOptions, type TurnResult } from './agent/gemini-client.js';
export type { LoadedChat, SaveOutcome } from './agent/going-back/chats.js';
export type { CheckpointContents } from './agent/going-back/checkpoints.js';
export type { ProposedCall } from './agent/going-back/proposed-call.js';
export type { RewindResult, RewindWhat } from './agent/going-back/rewind.js';
export type { ChangedFile, RewindTurn } from './agent/going-back/rewind-turns.js';
export type { HookPorts, SessionEndReason, SessionStartSource } from './agent/hook-ports.js';
export type { Budget } from './agent/limits.js';
export type { CallJournal } from './agent/scheduler/call-journal.js';
export { Scheduler } from './agent/scheduler/scheduler.js';
export { ToolExecutor } from './agent/scheduler/tool-executor.js';
export {
  type StreamJsonBody,
  type StreamJsonItem,
  streamItem,
  streamJsonEnd,
  streamJsonOf,
  streamJsonOfAgent,
} from './agent/stream-json.js';
export type { AgentReload, PendingAgent } from './agents/registry/agent-files.js';
export { AgentRegistry, type RegisteredAgent } from './agents/registry/agent-registry.js';
export type { AgentRunView } from './agents/run/agent-runs.js';
export {
  type AgentDefinition,
  type AgentSource,
  AgentTerminateMode,
  type LocalAgentDefinition,
  type RemoteAgentDefinition,
} from './agents/types.js';
export { clockTime } from './base/clock-time.js';
export { untilAborted } from './base/concurrency.js';
export {
  codeOf,
  DeveloperError,
  FatalAuthenticationError,
  FatalBudgetError,
  FatalCancellationError,
  FatalConfigError,
  FatalError,
  FatalInputError,
  FatalSandboxError,
  FatalToolExecutionError,
  FatalTurnLimitedError,
  FatalUntrustedWorkspaceError,
  INVALID_STREAM,
  messageOf,
  QuietExit,
  routeError,
  UserError,
} from './base/errors.js';
export { JsoncError, parseJsonc, placeOf, visitJsonc } from './base/jsonc.js';
export { Late } from './base/late.js';
export { closesFence, type Fence, fencedBlocks, openingFence } from './base/markdown-fences.js';
export { isObject, objectOf } from './base/objects.js';
export { parseToml } from './base/toml.js';
export { deceptiveHosts, visibleName, visibleText } from './base/visible-text.js';
export { EventStream } from './bus/event-stream.js';
export { MessageBus } from './bus/message-bus.js';
export { Config } from './config/config.js';
export { summariseEarlierSession } from './config/summarise-earlier.js';
export { type Agent, type AgentSetup, composeAgent } from './engine/compose-agent.js';
export { composeEngine } from './engine/compose-engine.js';
export type { IdeServices } from './engine/compose-ide.js';
export type { Engine } from './engine/engine.js';
export { loadMcp, type McpTools } from './engine/load-mcp.js';
export type { CheckpointServices } from './engine/main/compose-checkpoints.js';
export type {
  CompleteParameters,
  ConfigParameters,
  LiveParameters,
  OutputSettings,
} from './engine/parameters.js';
export { Project } from './engine/project.js';
export type { GalleryEntry } from './extensions/gallery/entry.js';
export {
  type ExtensionInstallMetadata,
  type ExtensionSetting,
  ExtensionUpdateStatus,
  type GeminiCLIExtension,
  type ResolvedExtensionSetting,
} from './extensions/types.js';
export type { HookSystem } from './hooks/hook-system.js';
export { type HookTools, loadHooks } from './hooks/load.js';
export type { HookProblem, HookRegistry, HookRegistryEntry } from './hooks/registry.js';
export type { CommandHookConfig, HookConfig, RuntimeHook, RuntimeHookConfig } from './hooks/types.js';
export type { IdeInfo } from './ide/types.js';
export { type AgentFilesModule, loadAgentFiles } from './load-agent-files.js';
export { type Diagnostics, loadDiagnostics } from './load-diagnostics.js';
export { type ExtensionAuthoring, loadExtensionAuthoring } from './load-extension-authoring.js';
export { type ExtensionCommands, loadExtensionCommands } from './load-extension-commands.js';
export { type ExtensionConversion, loadExtensionConversion } from './load-extension-conversion.js';
export { type ExtensionFiles, loadExtensionFiles } from './load-extension-files.js';
export {
  type ExtensionInstallation,
  type InstallPorts,
  type InstallRequest,
  loadExtensionInstallation,
} from './load-extension-installation.js';
export { type FrontEndModule, loadFrontEnd } from './load-front-end.js';
export { loadInitPrompt } from './load-init-prompt.js';
export { loadSkillInstallation, type SkillInstallation } from './load-skill-installation.js';
export type { McpSignIn, SignInState } from './mcp/auth-port.js';
export type { McpServerFields, ResolvedServer, ServerBlock } from './mcp/config.js';
export { targetOf, transportKindOf } from './mcp/config.js';
export type { MCPServerStatus, McpClient } from './mcp/mcp-client.js';
export type { McpClientManager, McpServerView } from './mcp/mcp-client-manager.js';
export { promptParts } from './mcp/offers/prompt-parts.js';
export { formFieldProblem } from './mcp/server-requests/check-form.js';
export type {
  InboxAction,
  InboxGroup,
  InboxGroupTitle,
  InboxItem,
  InboxOutcome,
  MemoryInbox,
  SkillScope,
} from './memory/auto/inbox.js';
export { MemoryContextManager } from './memory/context-files.js';
export type { LoadedMemory, MemoryFile, MemoryProblem, MemorySettings, MemoryTier } from './memory/types.js';
export { authTypeFromEnvironment } from './model/auth/auth-type.js';
export { DEFAULT_MODEL, OFFLINE_MODEL } from './model/catalog.js';
export type { ContentGenerator } from './model/content-generator.js';
export { keyProviders } from './model/providers.js';
export {
  type Environment,
  environmentOf,
  geminiHome,
  homeOf,
  ownVariables,
  type ProxySource,
  processEnvironment,
  processVariables,
  temporaryDirectory,
  type Variables,
} from './platform/environment.js';
export { FileError } from './platform/files/file-error.js';
export {
  type FileFacts,
  type FileSystemService,
  type ReadOptions,
  StandardFileSystemService,
  type TextFile,
  type TextFormat,
  type WriteOptions,
} from './platform/files/file-system.js';
export { realPathOf } from './platform/files/real-path.js';
export { listBranches } from './platform/git/git-branches.js';
export { loadWorktrees } from './platform/git/load-worktrees.js';
export type { Worktree } from './platform/git/worktrees.js';
export { createLog, type Log, type LogLevel, type LogSink, setLogSink } from './platform/log.js';
export { killAllChildren } from './platform/process/child-registry.js';
export { openInBrowser } from './platform/process/open-browser.js';
export { randomUuid } from './platform/random.js';
export { Redactor } from './platform/redaction/redact.js';
export { loadWholeProcessSandbox } from './platform/sandbox/load.js';
export type { SandboxSession } from './platform/sandbox/whole-program/whole-process.js';
export type { CommandTerminal, TerminalCommand } from './platform/shell/command-terminal.js';
export type { ShellResult } from './platform/shell/shell-execution.js';
export { ShellExecutionService } from './platform/shell/shell-service.js';
export { loadSnapshots, type Snapshots } from './platform/snapshots/load.js';
export type { NetDiff } from './platform/snapshots/net-diffs.js';
export type {
  SnapshotSummary,
  StepStatus,
  UndoPreview,
  UndoResult,
  UndoStep,
} from './platform/snapshots/types.js';
export { knownProjects, storageOf } from './platform/storage/project-id.js';
export { globalGeminiDir, Storage } from './platform/storage/storage.js';
export { VERSION } from './platform/version.js';
export { PolicyEngine } from './policy/policy-engine.js';
export type { PolicyRule } from './policy/rules/rule.js';
export { type ChosenSession, chooseSession } from './project/choose-session.js';
export { type FrontEnd, openProject, type ProjectRequest, requireTrust } from './project/open-project.js';
export type { ProjectOverrides } from './project/overrides.js';
export { isDebug, requestedModel } from './project/parameters-from.js';
export { readExtensions } from './project/read-extensions.js';
export {
  findEnvFile,
  isTrustOn,
  judgeFolder,
  type ProjectFolder,
  readFolder,
} from './project/read-folder.js';
export {
  type AgentEvent,
  type AgentEventBody,
  type AgentRef,
  type ErrorInfo,
  type ErrorRemedy,
  isMainAgent,
  MAIN_AGENT,
  type TurnEndReason,
} from './protocol/agent-events.js';
export {
  ApprovalMode,
  type DiffUpdateResult,
  MessageBusType,
  PolicyDecision,
  type PolicyUpdateOptions,
  type ToolCallConfirmationDetails,
  ToolConfirmationOutcome,
  type ToolConfirmationPayload,
  type ToolEditConfirmationDetails,
  type ToolExecuteConfirmationDetails,
  type ToolInfoConfirmationDetails,
  type ToolMcpConfirmationDetails,
  type UserQuestion,
} from './protocol/confirmation.js';
export type {
  ChoicesFormField,
  ElicitationAnswer,
  ElicitationQuestion,
  FormField,
  FormOption,
  FormValue,
} from './protocol/elicitation.js';
export type { Content, Message, Part, PartListUnion, TokenUsage } from './protocol/messages.js';
export { textOf, toParts } from './protocol/messages.js';
export type {
  Answer,
  Answers,
  AskUserQuestion,
  ConfirmationView,
  FallbackIntent,
  ModelFallbackQuestion,
  Question,
  QuestionKind,
  ToolConfirmationAnswer,
  ToolConfirmationQuestion,
} from './protocol/questions.js';
export { FALLBACK_INTENTS } from './protocol/questions.js';
export type { ConversationRecord } from './protocol/session-record.js';
export type {
  CompletedToolCall,
  ToolCallRequest,
  ToolCallResponse,
  ToolCallStatus,
} from './protocol/tool-calls.js';
export type {
  AnsiOutput,
  DiffStat,
  FileDiff,
  LiveOutput,
  Todo,
  TodoList,
  ToolResultDisplay,
} from './protocol/tool-display.js';
export type { ChatCheckpointInfo } from './sessions/checkpoints/chat-checkpoints.js';
export { CheckpointError, type CheckpointErrorCode } from './sessions/checkpoints/error.js';
export type { FileStep, FilesReport } from './sessions/checkpoints/files-report.js';
export type { AgentState } from './sessions/checkpoints/format.js';
export type { CheckpointInfo, CheckpointList } from './sessions/checkpoints/store.js';
export type { SessionInfo } from './sessions/finding/session-info.js';
export { loadSessions, type Sessions } from './sessions/load.js';
export type { HistoryItemWithoutId, HistoryToolCall } from './sessions/reading/convert.js';
export { describeProblem, formatProblems } from './settings/checking/format-problems.js';
export type { DiscoveryResults } from './settings/discovery/types.js';
export { loadEnvFile } from './settings/env/env-file.js';
export { LoadedSettings } from './settings/loaded-settings.js';
export { type Settings, setting } from './settings/schema/index.js';
export { decideTrust, type TrustAnswer, TrustedFolders } from './settings/trust/trust.js';
export { modeWhenUntrusted } from './settings/trust/untrusted.js';
export type { FileProblem, SettingScope } from './settings/types.js';
export type { SkillActivation } from './skills/activation.js';
export { type SkillChanges, type SkillExtension, SkillManager } from './skills/manager.js';
export type { SkillDefinition, SkillProblem, SkillRoot, SkillSource } from './skills/types.js';
export {
  emptyMetrics,
  recordMetrics,
  type SessionMetrics,
} from './telemetry/observe/session-metrics.js';
export { type StreamStats, toStreamStats } from './telemetry/observe/stream-stats.js';
export { noTelemetry, type TelemetryRecorder } from './telemetry/record.js';
export { resolveTelemetry } from './telemetry/settings.js';
export { findDocsFolder } from './tools/internal-docs/docs-folder.js';
export { type FoundResource, findResource } from './tools/mcp-resources/find-resource.js';
export type { McpResourceContent, McpResources } from './tools/mcp-resources/host.js';
export { resourceParts } from './tools/mcp-resources/resource-parts.js';
export { readContent } from './tools/read-file/read-content.js';
export { DEFAULT_EXCLUDES } from './tools/read-many-files/default-excludes.js';
export { SchemaValidator } from './tools/schema-validator.js';
export { ToolErrorType } from './tools/tool-error.js';
export { ToolRegistry } from './tools/tool-registry.js';
export {
  type AnyDeclarativeTool,
  BaseDeclarativeTool,
  BaseToolInvocation,
  DeclarativeTool,
  type ExecuteOptions,
  Kind,
  MUTATOR_KINDS,
  type ToolBuilder,
  type ToolInvocation,
  type ToolLocation,
  type ToolResult,
} from './tools/tools.js';
export { FileDiscoveryService } from './workspace/file-discovery.js';
export type { FileFilteringOptions, FileHost, WorkspaceHost } from './workspace/host.js';
export { createPathAccess } from './workspace/path-access.js';
export { WorkspaceContext } from './workspace/workspace-context.js';
