/** What the browser agent needs of the session. */
import type { Environment } from '../../platform/environment.js';
import type { TelemetryRecorder } from '../../telemetry/record.js';

/** `agents.browser` of the settings. */
export interface BrowserAgentSettings {
  sessionMode: 'persistent' | 'isolated' | 'existing';
  headless: boolean;
  profilePath?: string;
  visualModel?: string;
  allowedDomains: readonly string[];
  disableUserInput: boolean;
  maxActionsPerTask: number;
  confirmSensitiveActions: boolean;
  blockFileUploads: boolean;
}

export interface ScreenshotQuestion {
  model: string;
  systemInstruction: string;
  instruction: string;
  /** Base64. */
  png: string;
}

export interface BrowserAgentHost {
  settings(): BrowserAgentSettings;
  environment: Environment;
  /** The folder `.gemini` of the user. */
  globalDir: string;
  /** The sandbox around the whole program; `confined`: the browser would run in it, too (Seatbelt, bubblewrap). */
  sandbox: 'none' | 'confined' | 'container';
  /** The real path of a file that may be uploaded. @throws ToolCallError for others */
  uploadPath(path: string): string;
  /** Absent: the sign-in has no model for screenshots (only API keys and Vertex AI do). */
  look?: (question: ScreenshotQuestion, signal: AbortSignal) => Promise<string>;
  recorder: TelemetryRecorder;
  now(): number;
}
