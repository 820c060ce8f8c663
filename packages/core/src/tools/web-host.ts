/** What the web tools need from their host; `Config` provides it. */
import { OFFLINE_MODEL } from '../model/catalog.js';
import type { UtilityModel } from '../model/utility/utility-model.js';
import type { Environment } from '../platform/environment.js';
import { VERSION } from '../platform/version.js';
import type { TelemetryHost } from '../telemetry/record.js';

export interface WebHost extends TelemetryHost {
  getUtilityModel(): UtilityModel;
  /** The model of the main conversation now. */
  getModel(): string;
  getSessionId(): string;
  getEnvironment(): Environment;
  /** `experimental.directWebFetch`: return pages unread by a model. Absent: disabled. */
  isDirectWebFetch?(): boolean;
  /** `tools.webSearch`. Absent or undefined: none. */
  getWebSearchService?(): WebSearchService | undefined;
}

export interface WebSearchService {
  endpoint: string;
  /** Name of the environment variable that holds the key. */
  apiKeyEnv?: string;
}

/** Whether the provider of this model reads pages and searches by itself; only Google's does. */
export function reachesWebItself(model: string): boolean {
  return (!model.includes('/') || model.startsWith('vertex/')) && model !== OFFLINE_MODEL;
}

/** The program's name, for the servers it asks. */
export function webUserAgent(): string {
  return `GeminiCLI/${VERSION} (${process.platform}; ${process.arch})`;
}
