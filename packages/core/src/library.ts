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
export * from './index.js';
export { type ModelPolicy, resolvePolicyChain } from './model/fallback/policy-chains.js';
export { debugLogger } from './platform/debug-logger.js';
export { LinuxSandboxManager } from './platform/sandbox/linux/linux-manager.js';
export { MacOsSandboxManager } from './platform/sandbox/macos/macos-manager.js';
export type { SandboxManager } from './platform/sandbox/types.js';
export type { SandboxConfig } from './platform/sandbox/whole-program/select.js';
export { WindowsSandboxManager } from './platform/sandbox/windows-manager.js';
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
export type { TelemetrySettings } from './telemetry/settings.js';
export { type ProcessedFileReadResult, processSingleFileContent } from './tools/read-file/single-file.js';
export * from './tools.js';
export { makeRelative, shortenPath } from './workspace/tool-path.js';
