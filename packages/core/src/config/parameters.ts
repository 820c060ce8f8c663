import type { Budget } from '../agent/limits.js';
import type { ProviderSettings } from '../model/providers.js';
import type { ApprovalMode } from '../protocol/confirmation.js';
import type { LoadedSettings } from '../settings/loaded-settings.js';
import type { TelemetrySettings } from '../telemetry/settings.js';

/** All that decides how a session runs; front ends make it from flags, environment and settings. */
export interface ConfigParameters {
  sessionId: string;
  /** The project root. */
  targetDir: string;
  debugMode: boolean;
  /** Name or alias as the user gave it. */
  model: string;
  /** False: nobody can answer questions. */
  interactive: boolean;
  approvalMode?: ApprovalMode;
  includeDirectories?: string[];
  includeDirectoryTree?: boolean;
  coreTools?: string[];
  allowedTools?: string[];
  excludeTools?: string[];
  /** Below 0: unlimited. */
  maxSessionTurns?: number;
  maxAttempts?: number;
  /** A model that repeats itself is not stopped. */
  disableLoopDetection?: boolean;
  budget?: Budget;
  fakeResponses?: { path: string; strict: boolean };
  recordResponses?: string;
  /** The files behind these parameters; with them a changed trust takes effect at once. */
  settings?: LoadedSettings;
  /** What follows from the settings once trust has changed. Absent: nothing does. */
  deriveForTrust?: (trusted: boolean) => LiveParameters;
  /** False: nothing of the folder counts. Absent: the caller vouches for it. */
  trusted?: boolean;
  /** `model.providers` of the settings. */
  providers?: Readonly<Record<string, ProviderSettings>>;
  auth?: { selectedType?: string; enforcedType?: string };
  disableYoloMode?: boolean;
  disableAlwaysAllow?: boolean;
  /** Secrets in tool output and referenced files are hidden from the model (default). */
  maskSecretsForModel?: boolean;
  /** Something the user should know that belongs to no request. */
  onNotice?: (message: string) => void;
  /** Absent: off. */
  telemetry?: TelemetryParameters;
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
    inactivityTimeout?: number;
    pager?: string;
    showColor?: boolean;
  };
  environmentRedaction?: { enabled?: boolean; allowed?: string[]; blocked?: string[] };
}

/** What may change in a running session. */
export type LiveParameters = Pick<
  ConfigParameters,
  | 'includeDirectories'
  | 'coreTools'
  | 'allowedTools'
  | 'excludeTools'
  | 'useRipgrep'
  | 'useWriteTodos'
  | 'searchTimeoutMs'
  | 'truncateToolOutputThreshold'
  | 'fileFiltering'
  | 'shell'
  | 'environmentRedaction'
  | 'maskSecretsForModel'
  | 'disableYoloMode'
  | 'disableAlwaysAllow'
>;

export interface TelemetryParameters {
  settings: TelemetrySettings;
  /** For problems the user should know of. */
  warn: (message: string) => void;
  /** Gets the records of the target `console`. */
  writeConsole: (text: string) => void;
  /** What the start took, in order. */
  phases: () => { name: string; durationMs: number }[];
}
