import type { HookPorts } from '../agent/hook-ports.js';
import type { Budget } from '../agent/limits.js';
import type { EventStream } from '../bus/event-stream.js';
import type { ContextLimits, ContextProfileName } from '../context/pipeline/profiles.js';
import type { MaskingSettings } from '../context/tool-output-mask.js';
import type { MemorySettings } from '../memory/types.js';
import type { CatalogSettings } from '../model/catalog.js';
import type { ContentGenerator } from '../model/content-generator.js';
import type { ModelConfigSettings } from '../model/model-configs.js';
import type { ProviderSettings } from '../model/providers.js';
import type { Environment } from '../platform/environment.js';
import type { FileSystemService } from '../platform/file-system.js';
import type { ApprovalMode } from '../protocol/confirmation.js';
import type { RetentionSettings } from '../sessions/retention.js';
import type { LoadedSettings } from '../settings/loaded-settings.js';
import type { TelemetrySettings } from '../telemetry/settings.js';

/** All that decides how a session runs; front ends make it from flags, environment and settings. */
export interface ConfigParameters {
  /** Where front ends listen and answer; absent: one is made. */
  events?: EventStream;
  sessionId: string;
  /** The project root. */
  targetDir: string;
  /** Absent: that of this process. */
  environment?: Environment;
  debugMode: boolean;
  /** Name or alias as the user gave it. */
  model: string;
  /** False: nobody can answer questions. */
  interactive: boolean;
  approvalMode?: ApprovalMode;
  includeDirectories?: string[];
  /** Folders the user asked for that wait for a decision, e.g. about trust. */
  pendingIncludeDirectories?: string[];
  includeDirectoryTree?: boolean;
  /** Where tools read and write file contents. Absent: the disk. */
  fileSystem?: FileSystemService;
  /** Context files: `context.fileName` and its neighbours. */
  memory?: MemorySettings;
  coreTools?: string[];
  allowedTools?: string[];
  excludeTools?: string[];
  /** `tools.confirmationRequired`. */
  confirmationRequired?: string[];
  /** Policy files and folders: `--policy`, `policyPaths`. */
  policyPaths?: string[];
  /** `--admin-policy`, `adminPolicyPaths`. */
  adminPolicyPaths?: string[];
  /** `general.checkpointing`: copies of files before they change. Absent: on. */
  undo?: { enabled?: boolean; maxBytes?: number };
  /** `general.checkpointing.enabled`: files and conversation are saved before each change. Absent: they are not. */
  checkpointing?: boolean;
  /** `security.enablePermanentToolApproval` and `security.autoAddToPolicyByDefault`. */
  approvals?: { allowsSaving?: boolean; suggestsSaving?: boolean };
  /** The front end can open a proposal in an editor and answer with what the user made of it. */
  offersEditor?: boolean;
  /** The conversation is recorded. Absent: it is not. */
  sessions?: {
    /** `general.sessionStorageDir`, absolute. */
    storageDir?: string;
    /** File of the session to go on with; `sessionId` is its id. */
    resume?: string;
    /** `general.sessionRetention`. */
    retention?: RetentionSettings;
    /** `general.maxSessions`, where the user set it. */
    maxSessions?: number;
  };
  /** `experimental.autoMemory`, in sessions that last a while: looks through earlier ones in the background. */
  autoMemory?: { enabled?: boolean; startAfterMs?: number };
  /** `general.plan.enabled`; on unless false. */
  planEnabled?: boolean;
  /** `general.plan.directory`. */
  plansDirectory?: string;
  /** Below 0: unlimited. */
  maxSessionTurns?: number;
  maxAttempts?: number;
  /** `general.retryFetchErrors`. */
  retryNetworkErrors?: boolean;
  /** A model that repeats itself is not stopped. */
  disableLoopDetection?: boolean;
  /** Each limit from the command line, else from `model.budget` of the settings. */
  budget?: Budget;
  /** File with the JSON Schema that the last answer must satisfy. */
  outputSchema?: string;
  fakeResponses?: { path: string; strict: boolean };
  /** A model of the caller's own: it answers every request, whatever `model` is called. */
  contentGenerator?: ContentGenerator;
  recordResponses?: string;
  /** The files behind these parameters; with them a changed trust takes effect at once. */
  settings?: LoadedSettings;
  /** What follows from the settings once trust has changed. Absent: nothing does. */
  deriveForTrust?: (trusted: boolean) => LiveParameters;
  /** False: nothing of the folder counts. Absent: the caller vouches for it. */
  trusted?: boolean;
  /** `model.providers` of the settings. */
  providers?: Readonly<Record<string, ProviderSettings>>;
  models?: ModelParameters;
  auth?: { selectedType?: string; enforcedType?: string };
  disableYoloMode?: boolean;
  disableAlwaysAllow?: boolean;
  /** Secrets in tool output and referenced files are hidden from the model (default). */
  maskSecretsForModel?: boolean;
  /** `experimental.modelSteering`: what the user types meanwhile may be added between turns. */
  modelSteering?: boolean;
  /** Call sites of hooks; absent: none listen. */
  hooks?: HookPorts;
  /** Absent: off. */
  telemetry?: TelemetryParameters;
  /** Settings about what is sent of a conversation. */
  context?: {
    outputMasking?: Partial<MaskingSettings>;
    /** The conversation is managed as a graph; absent: by summaries. */
    profile?: ContextProfileName;
    limits?: ContextLimits;
  };
  /** `tools.deferAbove`: share of the context window. */
  deferToolsAbove?: number;
  /** `experimental.directWebFetch`. */
  directWebFetch?: boolean;
  /** `tools.webSearch`. */
  webSearch?: { endpoint?: string; apiKeyEnv?: string };
  /** The model is told to keep output of commands small (default). */
  shellOutputEfficiency?: boolean;
  useRipgrep?: boolean;
  useWriteTodos?: boolean;
  searchTimeoutMs?: number;
  truncateToolOutputThreshold?: number;
  fileFiltering?: {
    respectGitIgnore?: boolean;
    respectGeminiIgnore?: boolean;
    customIgnoreFilePaths?: string[];
  };
  shell?: {
    enableInteractiveShell?: boolean;
    /** Somebody sees what commands show, and can type into them. */
    hasScreen?: boolean;
    inactivityTimeout?: number;
    /** A slower command moves to the background; 0: never. */
    backgroundAfterSeconds?: number;
    backgroundCompletionBehavior?: 'silent' | 'inject' | 'notify';
    pager?: string;
    showColor?: boolean;
  };
  environmentRedaction?: { enabled?: boolean; allowed?: string[]; blocked?: string[] };
  /** `security.toolSandboxing`: each command runs in a sandbox, or not at all. */
  toolSandboxing?: boolean;
  /** `tools.sandboxNetworkAccess`. */
  sandboxNetworkAccess?: boolean;
  /** `tools.sandboxAllowedPaths`: writable inside. */
  sandboxAllowedPaths?: string[];
}

/** Settings about models; what they hold is checked where it is used. */
export interface ModelParameters {
  /** `modelConfigs`. */
  configs?: ModelConfigSettings &
    Pick<CatalogSettings, 'modelDefinitions' | 'modelIdResolutions' | 'classifierIdResolutions'> & {
      modelChains?: unknown;
    };
  dynamicConfiguration?: boolean;
  /** `model.fallbacks`. */
  fallbacks?: unknown;
  /** `model.prices`. */
  prices?: unknown;
  /** `model.routing.classifier`. */
  classifier?: boolean;
  /** `general.plan.modelRouting`. */
  planModelRouting?: boolean;
  gemma?: { enabled: boolean; host: string; model: string };
  skipNextSpeakerCheck?: boolean;
  compressionThreshold?: number;
}

/** What may change in a running session. */
export type LiveParameters = Pick<
  ConfigParameters,
  | 'includeDirectories'
  | 'memory'
  | 'coreTools'
  | 'allowedTools'
  | 'excludeTools'
  | 'confirmationRequired'
  | 'policyPaths'
  | 'deferToolsAbove'
  | 'directWebFetch'
  | 'webSearch'
  | 'useRipgrep'
  | 'useWriteTodos'
  | 'searchTimeoutMs'
  | 'truncateToolOutputThreshold'
  | 'fileFiltering'
  | 'shell'
  | 'environmentRedaction'
  | 'toolSandboxing'
  | 'sandboxNetworkAccess'
  | 'sandboxAllowedPaths'
  | 'maskSecretsForModel'
  | 'disableYoloMode'
  | 'disableAlwaysAllow'
>;

export interface TelemetryParameters {
  settings: TelemetrySettings;
  /** Gets the records of the target `console`. */
  writeConsole: (text: string) => void;
  /** What the start took, in order. */
  phases: () => { name: string; durationMs: number }[];
}
