/** What an organisation allows its accounts: read from the service at the start, then polled. */
import { isObject, objectOf } from '../../base/objects.js';
import { ApiError } from '../errors/api-error.js';
import type { CodeAssistApi } from './api.js';

/** In the form of the settings `admin.*`. */
export interface AdminControls {
  /** No yolo mode, no "always allow". */
  secureModeEnabled: boolean;
  extensions: { enabled: boolean };
  mcp: { enabled: boolean; config: Record<string, unknown>; requiredConfig: Record<string, unknown> };
  skills: { enabled: boolean };
}

/** Undefined: the account is not managed. */
export async function fetchAdminControls(
  api: Pick<CodeAssistApi, 'call'>,
  project: string,
  signal: AbortSignal,
): Promise<AdminControls | undefined> {
  try {
    return parseAdminControls(await api.call('fetchAdminControls', { project }, signal));
  } catch (error) {
    const isUnknownMethod = error instanceof ApiError && (error.status === 404 || error.status === 501);
    if (isUnknownMethod) return undefined;
    throw error;
  }
}

/** A value that is missing or wrong means the restrictive choice. */
export function parseAdminControls(value: unknown): AdminControls | undefined {
  const fields = objectOf(value);
  if (fields['adminControlsApplicable'] !== true) return undefined;
  const features = objectOf(fields['cliFeatureSetting']);
  const isStrictOff = fields['strictModeDisabled'] ?? fields['secureModeEnabled'] === false;
  return {
    secureModeEnabled: isStrictOff !== true,
    extensions: { enabled: objectOf(features['extensionsSetting'])['extensionsEnabled'] === true },
    mcp: mcpControls(objectOf(fields['mcpSetting'])),
    skills: { enabled: features['unmanagedCapabilitiesEnabled'] === true },
  };
}

function mcpControls({ mcpEnabled, mcpConfigJson }: Record<string, unknown>): AdminControls['mcp'] {
  const lists = parseLists(mcpConfigJson);
  if (!lists) return { enabled: false, config: {}, requiredConfig: {} };
  return { enabled: mcpEnabled === true, ...lists };
}

/** Undefined: it cannot be read, so the allowed servers are not known. */
function parseLists(json: unknown): Pick<AdminControls['mcp'], 'config' | 'requiredConfig'> | undefined {
  if (json === undefined || json === '') return { config: {}, requiredConfig: {} };
  try {
    const value: unknown = JSON.parse(String(json));
    if (!isObject(value)) return undefined;
    const { mcpServers, requiredMcpServers } = value;
    return { config: objectOf(mcpServers), requiredConfig: objectOf(requiredMcpServers) };
  } catch {
    return undefined;
  }
}
