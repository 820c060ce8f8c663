import type { HookPorts, SessionStartSource } from '../agent/hook-ports.js';
import type { Budget } from '../agent/limits.js';
import type { CallJournal } from '../agent/scheduler/call-journal.js';
import type { EventStream } from '../bus/event-stream.js';
import type { ContextProfileName } from '../context/pipeline/profiles.js';
import type { ExtensionAgents } from '../extensions/load/extension-parts.js';
import type { GeminiCLIExtension } from '../extensions/types.js';
import type { ExtensionHooks } from '../hooks/sources/extension-files.js';
import type { RuntimeHook } from '../hooks/types.js';
import type { McpServerFields } from '../mcp/config.js';
import type { ExtensionServers } from '../mcp/servers/resolve-servers.js';
import type { MemorySettings } from '../memory/types.js';
import type { ContentGenerator } from '../model/content-generator.js';
import type { Environment } from '../platform/environment.js';
import type { FileMemory } from '../platform/files/file-memory.js';
import type { FileSystemService } from '../platform/files/file-system.js';
import type { SandboxConfig } from '../platform/sandbox/whole-program/select.js';
import type { CommandTerminal } from '../platform/shell/command-terminal.js';
import type { ApprovalMode } from '../protocol/confirmation.js';
import type { LoadedSettings } from '../settings/loaded-settings.js';
import type { DefaultedParameters, LiveName, SettingParameters } from '../settings/schema/parameters.js';
import type { TelemetrySettings } from '../telemetry/settings.js';
import type { ProgramParts } from './program-parts.js';

/**
 * All that decides how a session runs; front ends make it from flags, environment and settings. A parameter that comes
 * from one setting is not listed here: the setting's entry in `settings/schema` names it.
 */
export interface ConfigParameters extends SettingParameters {
  /** Where front ends listen and answer; absent: one is made. */
  events?: EventStream;
  sessionId: string;
  /** Why the session begins, for hooks; absent: `resume` for an earlier one, else `startup`. */
  startSource?: SessionStartSource;
  /** The project root. */
  targetDir: string;
  /** Absent: that of this process. */
  environment?: Environment;
  debugMode: boolean;
  /** Name or alias as the user gave it. */
  model: string;
  /** False: no user can answer questions. */
  interactive: boolean;
  approvalMode?: ApprovalMode;
  /** Folders the user asked for that wait for a decision, e.g. about trust. */
  pendingIncludeDirectories?: string[];
  /** Where tools read and write file contents. Absent: the disk. */
  fileSystem?: FileSystemService;
  /** Where commands run that need no sandbox. Absent: here. */
  commandTerminal?: CommandTerminal;
  /** Context file names. No default: without configured names other files may be used instead. */
  memory?: SettingParameters['memory'] & Pick<MemorySettings, 'fileName'>;
  /** Skills, or folders of skills, of the embedding program; they win over all others. Relative to the project root. */
  skillDirs?: readonly string[];
  /** The front end can open a proposal in an editor and return the changed content. */
  offersEditor?: boolean;
  /** The conversation is recorded. Absent: it is not. */
  sessions?: {
    /** `general.sessionStorageDir`, absolute. */
    storageDir?: string;
    /** File of the session to continue; `sessionId` is its id. */
    resume?: string;
    /** This session does the work of a sub-agent: it is stored beside the session that started it. */
    parent?: { sessionId: string; agentName: string };
    /** `general.maxSessions`, if the user set it. */
    maxSessions?: number;
  };
  /** In long sessions: analyses earlier sessions in the background. */
  autoMemory?: SettingParameters['autoMemory'] & { startAfterMs?: number };
  /** Each limit from the command line, else from `model.budget` of the settings. */
  budget?: Budget;
  /** The sandbox around the whole program (`tools.sandbox`); the front end has started it. */
  sandbox?: Pick<SandboxConfig, 'command'> & Partial<SandboxConfig>;
  /** File with the JSON Schema that the last answer must satisfy. */
  outputSchema?: string;
  fakeResponses?: { path: string; strict: boolean };
  /** The caller's own model: it answers every request, whatever `model` says. */
  contentGenerator?: ContentGenerator;
  /** Stands between the engine and its models, e.g. to answer again what was answered before. */
  aroundModel?: (model: ContentGenerator) => ContentGenerator;
  /** Keeps the calls of the main agent beyond this process. */
  callJournal?: CallJournal;
  recordResponses?: string;
  /** The settings files behind these parameters; with them a change of trust takes effect at once. */
  settings?: LoadedSettings;
  /** New parameters after a change of trust. Absent: nothing changes. */
  deriveForTrust?: (trusted: boolean) => LiveParameters;
  /** False: files of the folder are ignored. Absent: the caller vouches for it. */
  trusted?: boolean;
  /** What a connected editor says about the workspace decides about trust. */
  followsEditorTrust?: boolean;
  /** All that are installed, inactive ones too. */
  extensions?: readonly GeminiCLIExtension[];
  /** Folders with agent files that active extensions bring. */
  extensionAgents?: readonly ExtensionAgents[];
  /** Functions at the call sites of hooks; they are called before the configured hooks. */
  hooks?: HookPorts;
  /** Instructions and tools of the program that embeds the engine. */
  program?: ProgramParts;
  /** Hooks of the program: they match, run and merge like configured ones, and come first. */
  runtimeHooks?: readonly RuntimeHook[];
  /** Extensions whose hooks are loaded. */
  extensionHooks?: readonly ExtensionHooks[];
  /** Extensions whose MCP servers are started. */
  extensionServers?: readonly ExtensionServers[];
  /** What earlier starts have read of extensions. */
  extensionMemory?: FileMemory;
  /** MCP servers that the program or an editor brings for this session. */
  sessionServers?: Readonly<Record<string, McpServerFields>>;
  /** Absent: off. */
  telemetry?: TelemetryParameters;
  /** What is sent of a conversation. */
  context?: SettingParameters['context'] & {
    /** The conversation is managed as a graph; absent: by summaries. */
    profile?: ContextProfileName;
    /** Where the context trace is written; absent: nowhere. */
    traceDirectory?: string;
  };
  shell?: SettingParameters['shell'] & {
    /** The user sees the output of commands and can type into them. */
    hasScreen?: boolean;
  };
}

/** The parameters with all defaults from the settings tables. */
export type CompleteParameters = ConfigParameters & DefaultedParameters;

/** What may change in a running session. */
export type LiveParameters = Pick<ConfigParameters, LiveName>;

/** `output` of the settings. */
export type OutputSettings = NonNullable<SettingParameters['output']>;

export interface TelemetryParameters {
  settings: TelemetrySettings;
  /** Gets records for the target `console`. */
  writeConsole: (text: string) => void;
  /** Durations of the start phases, in order. */
  phases: () => { name: string; durationMs: number }[];
}
