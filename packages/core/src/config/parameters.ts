import type { Budget } from '../agent/limits.js';
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
  budget?: Budget;
  fakeResponses?: { path: string; strict: boolean };
  recordResponses?: string;
  /** The files behind these parameters; with them a changed trust takes effect at once. */
  settings?: LoadedSettings;
  /** False: nothing of the folder counts. Absent: the caller vouches for it. */
  trusted?: boolean;
  auth?: { selectedType?: string; enforcedType?: string };
  disableYoloMode?: boolean;
  disableAlwaysAllow?: boolean;
  /** Secrets in tool output are hidden from the model (default). */
  maskSecretsForModel?: boolean;
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

export interface TelemetryParameters {
  settings: TelemetrySettings;
  /** For problems the user should know of. */
  warn: (message: string) => void;
  /** Gets the records of the target `console`. */
  writeConsole: (text: string) => void;
  /** What the start took, in order. */
  phases: () => { name: string; durationMs: number }[];
}
