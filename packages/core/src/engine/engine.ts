/** What all agents of a project share; made by `compose-engine.ts`. */
import type { HookPorts } from '../agent/hook-ports.js';
import type { SharedFiles } from '../agent/shared-files.js';
import type { Late } from '../base/late.js';
import type { EventStream } from '../bus/event-stream.js';
import type { MessageBus } from '../bus/message-bus.js';
import type { HookSystem } from '../hooks/hook-system.js';
import type { Clock } from '../platform/clock.js';
import type { Environment } from '../platform/environment.js';
import type { FileSystemService } from '../platform/files/file-system.js';
import type { Redactor } from '../platform/redaction/redact.js';
import type { CommandContainment } from '../platform/sandbox/containment/command-containment.js';
import type { ToolSandbox } from '../platform/sandbox/tool-sandbox.js';
import type { ShellExecutionService } from '../platform/shell/shell-service.js';
import type { ShellSettings } from '../platform/shell/shell-settings.js';
import type { Storage } from '../platform/storage/storage.js';
import type { ModeState } from '../policy/mode-state.js';
import type { PolicyEngine } from '../policy/policy-engine.js';
import type { Message } from '../protocol/messages.js';
import type { Kind } from '../protocol/tool-declaration.js';
import type { TelemetryRecorder } from '../telemetry/record.js';
import type { Telemetry } from '../telemetry/start.js';
import type { FileDiscoveryService } from '../workspace/file-discovery.js';
import type { FileFilteringOptions } from '../workspace/host.js';
import type { PathAccess } from '../workspace/path-access.js';
import type { WorkspaceContext } from '../workspace/workspace-context.js';
import type { AgentServices } from './compose-agents.js';
import type { TaskJudge } from './compose-conseca.js';
import type { IdeServices } from './compose-ide.js';
import type { McpServices } from './compose-mcp.js';
import type { ModelServices } from './compose-models.js';
import type { SkillServices } from './compose-skills.js';
import type { SnapshotServices } from './compose-snapshots.js';
import type { CompleteParameters } from './parameters.js';
import type { Project } from './project.js';

/** How tools reach files and run commands. */
interface Confined {
  fileSystem: FileSystemService;
  /** Undefined while commands are not sandboxed. */
  toolSandbox: () => ToolSandbox | undefined;
  /** The sandbox for commands that run without a question. */
  containment: CommandContainment;
}

export interface Engine extends Confined {
  project: Project;
  /** The project's root, with links resolved. */
  targetDir: string;
  environment: Environment;
  clock: Clock;
  events: EventStream;
  redactor: Redactor;
  telemetry: Telemetry | undefined;
  /** Does nothing while telemetry is off. */
  recorder: TelemetryRecorder;
  /** Those of the session. */
  hooks: HookPorts;
  /** Undefined while no hook is configured, or while hooks are disabled. */
  hookSystem: () => HookSystem | undefined;
  /** Resolves when hooks that came with other settings, or with trust, are ready. */
  refreshHooks: () => Promise<void>;
  mcp: McpServices;
  /** The user's editor. */
  ide: IdeServices;
  /** The file of the main agent's conversation, for hooks. */
  transcriptPath: Late<() => string | undefined>;
  modes: ModeState;
  models: ModelServices;
  storage: Storage;
  workspaceContext: WorkspaceContext;
  pathAccess: PathAccess;
  fileService: FileDiscoveryService;
  fileFiltering: FileFilteringOptions;
  shellSettings: ShellSettings;
  shell: ShellExecutionService;
  /** The same for work in another folder. */
  confine(place: Pick<Engine, 'targetDir' | 'workspaceContext'>): Confined;
  policy: PolicyEngine;
  skills: SkillServices;
  agents: AgentServices;
  /** State of the checker `conseca`, filled by the main agent. */
  taskJudge: TaskJudge;
  bus: MessageBus;
  /** Undefined: changes are not saved. */
  snapshots: SnapshotServices | undefined;
  /** Files that several agents change. */
  sharedFiles: SharedFiles;
  /** The kind of every registered tool, for policy. */
  toolKinds: Map<string, Kind>;
  nextAgent(): number;
  /** The main agent's history, for checkers and records. */
  conversation: Late<() => readonly Message[]>;
  /** Applies what changed in a running session. */
  apply(parameters: CompleteParameters): void;
  close(): Promise<void>;
}
