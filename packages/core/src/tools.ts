/** `@gemini-cli/core/tools`: what a tool is, and the built-in ones. */
export { MessageBus } from './bus/message-bus.js';
export type { FunctionDeclaration, JsonSchema } from './protocol/tool-declaration.js';
export * from './protocol/tool-names.js';
export { AskUserTool } from './tools/ask-user/ask-user.js';
export type { ToolHost } from './tools/catalog.js';
export { EditTool } from './tools/edit/edit.js';
export { GlobTool } from './tools/glob/glob.js';
export { GrepTool } from './tools/grep/grep.js';
export { GetInternalDocsTool } from './tools/internal-docs/get-internal-docs.js';
export { LSTool } from './tools/list-directory/list-directory.js';
export { MemoryTool } from './tools/memory/save-memory.js';
export { EnterPlanModeTool } from './tools/plan-mode/enter-plan-mode.js';
export { ExitPlanModeTool } from './tools/plan-mode/exit-plan-mode.js';
export { ReadFileTool } from './tools/read-file/read-file.js';
export { ReadManyFilesTool } from './tools/read-many-files/read-many-files.js';
export { SchemaValidator } from './tools/schema-validator.js';
export { ListBackgroundProcessesTool } from './tools/shell/list-background-processes.js';
export { ReadBackgroundOutputTool } from './tools/shell/read-background-output.js';
export { SendProcessInputTool } from './tools/shell/send-process-input.js';
export { ShellTool } from './tools/shell/shell.js';
export { StopProcessTool } from './tools/shell/stop-process.js';
export { WriteTodosTool } from './tools/todos/write-todos.js';
export { ToolErrorType } from './tools/tool-error.js';
export { ToolRegistry } from './tools/tool-registry.js';
export {
  type AnyDeclarativeTool,
  type AnyToolInvocation,
  BaseDeclarativeTool,
  BaseToolInvocation,
  DeclarativeTool,
  type ExecuteOptions,
  Kind,
  type ModifiableInvocation,
  MUTATOR_KINDS,
  type ToolBuilder,
  ToolDeniedError,
  type ToolInvocation,
  type ToolLocation,
  type ToolResult,
  toolFailure,
} from './tools/tools.js';
export { UpdateTopicTool } from './tools/topic/update-topic.js';
export { WebFetchTool } from './tools/web-fetch/web-fetch.js';
export { WebSearchTool } from './tools/web-search/web-search.js';
export { WriteFileTool } from './tools/write-file/write-file.js';
