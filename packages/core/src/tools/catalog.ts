/** THE table of built-in tools: one line per tool, in the order the model sees them. */
import type { MessageBus } from '../bus/message-bus.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import {
  ASK_USER,
  ENTER_PLAN_MODE,
  EXIT_PLAN_MODE,
  GET_INTERNAL_DOCS,
  GLOB,
  GOOGLE_WEB_SEARCH,
  GREP_SEARCH,
  LIST_BACKGROUND_PROCESSES,
  LIST_DIRECTORY,
  READ_BACKGROUND_OUTPUT,
  READ_FILE,
  READ_MANY_FILES,
  REPLACE,
  RUN_SHELL_COMMAND,
  SAVE_MEMORY,
  SEND_PROCESS_INPUT,
  STOP_PROCESS,
  WEB_FETCH,
  WRITE_FILE,
  WRITE_TODOS,
} from '../protocol/tool-names.js';
import type { FileHost, WorkspaceHost } from '../workspace/host.js';
import { type AskUserHost, AskUserTool } from './ask-user/ask-user.js';
import { EditTool } from './edit/edit.js';
import { GlobTool } from './glob/glob.js';
import { type GrepHost, GrepTool } from './grep/grep.js';
import { GetInternalDocsTool } from './internal-docs/get-internal-docs.js';
import { LSTool } from './list-directory/list-directory.js';
import { MemoryTool, type SaveMemoryHost } from './memory/save-memory.js';
import { EnterPlanModeTool } from './plan-mode/enter-plan-mode.js';
import { ExitPlanModeTool } from './plan-mode/exit-plan-mode.js';
import type { PlanHost } from './plan-mode/plan-host.js';
import { ReadFileTool } from './read-file/read-file.js';
import { ReadManyFilesTool } from './read-many-files/read-many-files.js';
import { ListBackgroundProcessesTool } from './shell/list-background-processes.js';
import { ReadBackgroundOutputTool } from './shell/read-background-output.js';
import { SendProcessInputTool } from './shell/send-process-input.js';
import { type ShellHost, ShellTool } from './shell/shell.js';
import { StopProcessTool } from './shell/stop-process.js';
import { WriteTodosTool } from './todos/write-todos.js';
import type { DeclaredFor, ToolRegistry } from './tool-registry.js';
import type { AnyDeclarativeTool } from './tools.js';
import { WebFetchTool } from './web-fetch/web-fetch.js';
import type { WebHost } from './web-host.js';
import { canSearchWeb, WebSearchTool } from './web-search/web-search.js';
import { WriteFileTool } from './write-file/write-file.js';

export type ToolHost = WorkspaceHost &
  FileHost &
  ShellHost &
  GrepHost &
  WebHost &
  SaveMemoryHost &
  AskUserHost &
  PlanHost;

interface BuiltinTool {
  name: string;
  /** The seed documents name tools by class in `tools.core`, too. */
  className: string;
  create(host: ToolHost, bus: MessageBus): AnyDeclarativeTool;
  /** Registered only when `tools.core` names it. */
  onRequest?: true;
  declaredFor?: DeclaredFor;
  /** Without this it could do nothing: never declared then, even if `tools.core` names it. */
  worksWith?: (model: string, host: ToolHost) => boolean;
}

const isGemini2 = (model: string) => model.startsWith('gemini-2');

const isPlanning = (host: ToolHost) => host.getApprovalMode() === ApprovalMode.PLAN;

const BUILTIN_TOOLS: readonly BuiltinTool[] = [
  { name: LIST_DIRECTORY, className: 'LSTool', create: (host, bus) => new LSTool(host, bus) },
  { name: READ_FILE, className: 'ReadFileTool', create: (host, bus) => new ReadFileTool(host, bus) },
  {
    name: READ_MANY_FILES,
    className: 'ReadManyFilesTool',
    create: (host, bus) => new ReadManyFilesTool(host, bus),
    onRequest: true,
  },
  { name: GREP_SEARCH, className: 'GrepTool', create: (host, bus) => new GrepTool(host, bus) },
  { name: GLOB, className: 'GlobTool', create: (host, bus) => new GlobTool(host, bus) },
  { name: REPLACE, className: 'EditTool', create: (host, bus) => new EditTool(host, bus) },
  { name: WRITE_FILE, className: 'WriteFileTool', create: (host, bus) => new WriteFileTool(host, bus) },
  { name: RUN_SHELL_COMMAND, className: 'ShellTool', create: (host, bus) => new ShellTool(host, bus) },
  {
    name: LIST_BACKGROUND_PROCESSES,
    className: 'ListBackgroundProcessesTool',
    create: (host, bus) => new ListBackgroundProcessesTool(host, bus),
  },
  {
    name: READ_BACKGROUND_OUTPUT,
    className: 'ReadBackgroundOutputTool',
    create: (host, bus) => new ReadBackgroundOutputTool(host, bus),
  },
  {
    name: SEND_PROCESS_INPUT,
    className: 'SendProcessInputTool',
    create: (host, bus) => new SendProcessInputTool(host, bus),
    worksWith: (_model, host) => host.getShellExecutionService().hasBackground({ takesInput: true }),
  },
  {
    name: STOP_PROCESS,
    className: 'StopProcessTool',
    create: (host, bus) => new StopProcessTool(host, bus),
    worksWith: (_model, host) => host.getShellExecutionService().hasBackground(),
  },
  { name: WEB_FETCH, className: 'WebFetchTool', create: (host, bus) => new WebFetchTool(host, bus) },
  {
    name: GOOGLE_WEB_SEARCH,
    className: 'WebSearchTool',
    create: (host, bus) => new WebSearchTool(host, bus),
    worksWith: canSearchWeb,
  },
  { name: SAVE_MEMORY, className: 'MemoryTool', create: (host, bus) => new MemoryTool(host, bus) },
  {
    name: WRITE_TODOS,
    className: 'WriteTodosTool',
    create: (_host, bus) => new WriteTodosTool(bus),
    declaredFor: isGemini2,
  },
  { name: ASK_USER, className: 'AskUserTool', create: (host, bus) => new AskUserTool(host, bus) },
  {
    name: ENTER_PLAN_MODE,
    className: 'EnterPlanModeTool',
    create: (host, bus) => new EnterPlanModeTool(host, bus),
    worksWith: (_model, host) => !isPlanning(host),
  },
  {
    name: EXIT_PLAN_MODE,
    className: 'ExitPlanModeTool',
    create: (host, bus) => new ExitPlanModeTool(host, bus),
    worksWith: (_model, host) => isPlanning(host),
  },
  {
    name: GET_INTERNAL_DOCS,
    className: 'GetInternalDocsTool',
    create: (_host, bus) => new GetInternalDocsTool(bus),
    onRequest: true,
  },
];

export interface ToolSelection {
  /** `tools.core`: when given, only what it lists; an empty list means no built-in tool. */
  coreTools?: readonly string[];
  useWriteTodos?: boolean;
  /** `general.plan.enabled`. */
  planEnabled?: boolean;
}

export function registerBuiltinTools(
  registry: ToolRegistry,
  host: ToolHost,
  bus: MessageBus,
  { coreTools, useWriteTodos = true, planEnabled = true }: ToolSelection,
): void {
  const switchedOff = [
    ...(useWriteTodos ? [] : [WRITE_TODOS]),
    // Whatever a rule says: nobody could answer.
    ...(host.isInteractive() ? [] : [ASK_USER]),
    ...(planEnabled ? [] : [ENTER_PLAN_MODE, EXIT_PLAN_MODE]),
  ];
  for (const tool of BUILTIN_TOOLS) {
    registry.unregisterTool(tool.name);
    const wanted = coreTools ? isListed(tool, coreTools) : !tool.onRequest;
    if (!wanted || switchedOff.includes(tool.name)) continue;
    // Asked for by name: declared to every model that it works with.
    const { worksWith, declaredFor } = tool;
    registry.registerTool(
      tool.create(host, bus),
      (model) =>
        worksWith?.(model, host) !== false && (coreTools !== undefined || declaredFor?.(model) !== false),
    );
  }
}

function isListed({ name, className }: BuiltinTool, coreTools: readonly string[]): boolean {
  return coreTools.some((entry) => [name, className].includes(entry.replace(/\(.*$/s, '')));
}
