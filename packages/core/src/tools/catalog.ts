/**
 * The table of built-in tools: one entry per tool, in the order the model sees them. The names that settings and policy
 * files may use are derived from it.
 */
import type { MessageBus } from '../bus/message-bus.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import { canonicalToolName } from '../protocol/tool-names.js';
import type { FileHost, WorkspaceHost } from '../workspace/host.js';
import { ActivateSkillTool, hasSkills, type SkillHost } from './activate-skill/activate-skill.js';
import { type AskUserHost, AskUserTool } from './ask-user/ask-user.js';
import { EditTool } from './edit/edit.js';
import { GlobTool } from './glob/glob.js';
import { type GrepHost, GrepTool } from './grep/grep.js';
import { GetInternalDocsTool } from './internal-docs/get-internal-docs.js';
import { type AgentHost, InvokeAgentTool } from './invoke-agent/invoke-agent.js';
import { LSTool } from './list-directory/list-directory.js';
import type { McpResourceHost } from './mcp-resources/host.js';
import { ListMcpResourcesTool } from './mcp-resources/list-mcp-resources.js';
import { ReadMcpResourceTool } from './mcp-resources/read-mcp-resource.js';
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
import { type TopicHost, UpdateTopicTool } from './topic/update-topic.js';
import { TRACKER_TOOLS, type TrackerHost, TrackerTool } from './tracker/tracker-tools.js';
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
  PlanHost &
  TopicHost &
  TrackerHost &
  SkillHost &
  AgentHost &
  McpResourceHost;

export interface BuiltinTool {
  name: string;
  /** Lists in the settings (`tools.core`, `tools.exclude`, …) may name a tool by its class, too. */
  className: string;
  /** Classes of earlier versions, as settings may still name them. */
  earlierClassNames?: readonly string[];
  create(host: ToolHost, bus: MessageBus): AnyDeclarativeTool;
  /** Registered only when `tools.core` names it. */
  onRequest?: true;
  declaredFor?: DeclaredFor;
  /** While false the tool could do nothing and is not declared, even if `tools.core` names it. */
  worksWith?: (model: string, host: ToolHost) => boolean;
}

const isGemini2 = (model: string) => model.startsWith('gemini-2');

const hasResources = (_model: string, host: ToolHost) => Boolean(host.getMcpResources()?.list().length);

const isPlanning = (host: ToolHost) => host.getApprovalMode() === ApprovalMode.PLAN;

export const BUILTIN_TOOLS: readonly BuiltinTool[] = [
  { name: LSTool.Name, className: 'LSTool', create: (host, bus) => new LSTool(host, bus) },
  { name: ReadFileTool.Name, className: 'ReadFileTool', create: (host, bus) => new ReadFileTool(host, bus) },
  {
    name: ReadManyFilesTool.Name,
    className: 'ReadManyFilesTool',
    create: (host, bus) => new ReadManyFilesTool(host, bus),
    onRequest: true,
  },
  {
    name: GrepTool.Name,
    className: 'GrepTool',
    earlierClassNames: ['RipGrepTool'],
    create: (host, bus) => new GrepTool(host, bus),
  },
  { name: GlobTool.Name, className: 'GlobTool', create: (host, bus) => new GlobTool(host, bus) },
  { name: EditTool.Name, className: 'EditTool', create: (host, bus) => new EditTool(host, bus) },
  {
    name: WriteFileTool.Name,
    className: 'WriteFileTool',
    create: (host, bus) => new WriteFileTool(host, bus),
  },
  { name: ShellTool.Name, className: 'ShellTool', create: (host, bus) => new ShellTool(host, bus) },
  {
    name: ListBackgroundProcessesTool.Name,
    className: 'ListBackgroundProcessesTool',
    create: (host, bus) => new ListBackgroundProcessesTool(host, bus),
  },
  {
    name: ReadBackgroundOutputTool.Name,
    className: 'ReadBackgroundOutputTool',
    create: (host, bus) => new ReadBackgroundOutputTool(host, bus),
  },
  {
    name: SendProcessInputTool.Name,
    className: 'SendProcessInputTool',
    create: (host, bus) => new SendProcessInputTool(host, bus),
    worksWith: (_model, host) => host.getShellExecutionService().hasBackground({ takesInput: true }),
  },
  {
    name: StopProcessTool.Name,
    className: 'StopProcessTool',
    create: (host, bus) => new StopProcessTool(host, bus),
    worksWith: (_model, host) => host.getShellExecutionService().hasBackground(),
  },
  { name: WebFetchTool.Name, className: 'WebFetchTool', create: (host, bus) => new WebFetchTool(host, bus) },
  {
    name: WebSearchTool.Name,
    className: 'WebSearchTool',
    create: (host, bus) => new WebSearchTool(host, bus),
    worksWith: canSearchWeb,
  },
  { name: MemoryTool.Name, className: 'MemoryTool', create: (host, bus) => new MemoryTool(host, bus) },
  {
    name: WriteTodosTool.Name,
    className: 'WriteTodosTool',
    create: (_host, bus) => new WriteTodosTool(bus),
    declaredFor: isGemini2,
  },
  ...TRACKER_TOOLS.map(
    (definition): BuiltinTool => ({
      name: definition.name,
      className: definition.className,
      create: (host, bus) => new TrackerTool(host, bus, definition),
    }),
  ),
  {
    name: UpdateTopicTool.Name,
    className: 'UpdateTopicTool',
    create: (host, bus) => new UpdateTopicTool(host, bus),
  },
  {
    name: ActivateSkillTool.Name,
    className: 'ActivateSkillTool',
    create: (host, bus) => new ActivateSkillTool(host, bus),
    worksWith: (_model, host) => hasSkills(host),
  },
  { name: AskUserTool.Name, className: 'AskUserTool', create: (host, bus) => new AskUserTool(host, bus) },
  {
    name: InvokeAgentTool.Name,
    className: 'InvokeAgentTool',
    create: (host, bus) => new InvokeAgentTool(host, bus),
    worksWith: (_model, host) => host.getAgentCaller().names().length > 0,
  },
  {
    name: EnterPlanModeTool.Name,
    className: 'EnterPlanModeTool',
    create: (host, bus) => new EnterPlanModeTool(host, bus),
    worksWith: (_model, host) => !isPlanning(host),
  },
  {
    name: ExitPlanModeTool.Name,
    className: 'ExitPlanModeTool',
    create: (host, bus) => new ExitPlanModeTool(host, bus),
    worksWith: (_model, host) => isPlanning(host),
  },
  {
    name: ListMcpResourcesTool.Name,
    className: 'ListMcpResourcesTool',
    create: (host, bus) => new ListMcpResourcesTool(host, bus),
    worksWith: hasResources,
  },
  {
    name: ReadMcpResourceTool.Name,
    className: 'ReadMcpResourceTool',
    create: (host, bus) => new ReadMcpResourceTool(host, bus),
    worksWith: hasResources,
  },
  {
    name: GetInternalDocsTool.Name,
    className: 'GetInternalDocsTool',
    create: (_host, bus) => new GetInternalDocsTool(bus),
    onRequest: true,
  },
];

export interface ToolSelection {
  /** `tools.core`: when given, only what it lists; an empty list means no built-in tool. */
  coreTools?: readonly string[];
  useWriteTodos: boolean;
  /** `general.plan.enabled`. */
  planEnabled: boolean;
  /** `general.topicUpdateNarration`. */
  topicNarration: boolean;
  /** `experimental.taskTracker`. */
  taskTracker: boolean;
}

export function registerBuiltinTools(
  registry: ToolRegistry,
  host: ToolHost,
  bus: MessageBus,
  { coreTools, useWriteTodos, planEnabled, topicNarration, taskTracker }: ToolSelection,
  tools = BUILTIN_TOOLS,
): void {
  const switchedOff = [
    // The tracker takes the place of the todo list.
    ...(useWriteTodos && !taskTracker ? [] : [WriteTodosTool.Name]),
    ...(taskTracker ? [] : TRACKER_TOOLS.map(({ name }) => name)),
    // Whatever a rule says: a headless run has no user to answer.
    ...(host.isInteractive() ? [] : [AskUserTool.Name]),
    ...(planEnabled ? [] : [EnterPlanModeTool.Name, ExitPlanModeTool.Name]),
    ...(topicNarration ? [] : [UpdateTopicTool.Name]),
  ];
  const listed = coreTools && new Set(canonicalEntries(coreTools, tools)?.map(nameInEntry));
  for (const tool of tools) {
    registry.unregisterTool(tool.name);
    const wanted = listed ? listed.has(tool.name) : !tool.onRequest;
    if (!wanted || switchedOff.includes(tool.name)) continue;
    // A tool that `tools.core` names is declared to every model it works with.
    const { worksWith, declaredFor } = tool;
    registry.registerTool(
      tool.create(host, bus),
      (model) =>
        worksWith?.(model, host) !== false && (coreTools !== undefined || declaredFor?.(model) !== false),
    );
  }
}

/** Entries of a list in the settings, `name` or `name(prefix)`: class names and older spellings become tool names. */
export function canonicalEntries(
  entries: readonly string[] | undefined,
  tools = BUILTIN_TOOLS,
): string[] | undefined {
  return entries?.map((entry) => {
    const name = nameInEntry(entry);
    const tool = tools.find(
      ({ className, earlierClassNames }) => className === name || earlierClassNames?.includes(name),
    );
    return (tool?.name ?? canonicalToolName(name)) + entry.trim().slice(name.length);
  });
}

function nameInEntry(entry: string): string {
  return entry.replace(/\(.*$/s, '').trim();
}
