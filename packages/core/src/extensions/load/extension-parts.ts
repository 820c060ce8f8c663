/** What the installed extensions bring to a project, in the form in which the parts of the engine take it. */
import { join } from 'node:path';
import type { ExtensionHooks } from '../../hooks/sources/extension-files.js';
import type { ExtensionServers } from '../../mcp/servers/resolve-servers.js';
import type { FileMemory } from '../../platform/files/file-memory.js';
import { SecretStore } from '../../platform/secrets/secret-store.js';
import { pathVariables } from '../manifest/variables.js';
import { resolveSettings } from '../settings/read-values.js';
import type { ExtensionProblem, GeminiCLIExtension, ResolvedExtensionSetting } from '../types.js';
import { extensionMemory } from './extension-memory.js';
import { type LoadOptions, loadExtensions } from './load-extensions.js';

export interface ExtensionParts {
  /** All that are installed, inactive ones too. */
  extensions: readonly GeminiCLIExtension[];
  extensionAgents: readonly ExtensionAgents[];
  extensionHooks: readonly ExtensionHooks[];
  extensionServers: readonly ExtensionServers[];
  /** What earlier starts have read of their files. */
  extensionMemory?: FileMemory;
}

export interface ExtensionAgents {
  memory?: FileMemory;
  dir: string;
  extensionName: string;
  variables: Readonly<Record<string, string>>;
}

export interface PartsRequest extends Omit<LoadOptions, 'memory'> {
  /** False: values of settings are not read (`experimental.extensionConfig`). */
  readsSettings: boolean;
  /** Also problems of extensions that are not active. */
  tellsInactive?: boolean;
}

export async function extensionParts(
  request: PartsRequest,
): Promise<ExtensionParts & { problems: ExtensionProblem[] }> {
  const memory = extensionMemory(request.globalDir);
  const { extensions, problems } = loadExtensions({ ...request, memory });
  const secrets = new SecretStore({ env: request.variables });
  const withValues = await Promise.all(
    extensions.map(async (extension) => {
      if (!extension.isActive || !extension.settings || !request.readsSettings) return extension;
      return { ...extension, resolvedSettings: await resolveSettings(extension, { ...request, secrets }) };
    }),
  );
  const places = { workspacePath: request.workspacePath, memory };
  const active = withValues.filter(({ isActive }) => isActive);
  return {
    extensions: withValues,
    problems: [
      ...problems.filter(({ isInactive }) => request.tellsInactive || !isInactive),
      ...moved(active),
    ],
    extensionAgents: active.filter(({ agents }) => agents).map((one) => agentsOf(one, places)),
    extensionHooks: active.filter(({ hooks }) => hooks).map((one) => hooksOf(one, places)),
    extensionServers: active.flatMap(serversOf),
    extensionMemory: memory,
  };
}

type Places = Required<Pick<LoadOptions, 'workspacePath' | 'memory'>>;

function agentsOf({ name, path }: GeminiCLIExtension, { workspacePath, memory }: Places): ExtensionAgents {
  return {
    memory,
    dir: join(path, 'agents'),
    extensionName: name,
    variables: pathVariables({ extensionPath: path, workspacePath }),
  };
}

function hooksOf(extension: GeminiCLIExtension, { workspacePath, memory }: Places): ExtensionHooks {
  const { name, path } = extension;
  return {
    dir: path,
    memory,
    variables: pathVariables({ extensionPath: path, workspacePath }),
    ...ownerOf(extension),
    name,
  };
}

function serversOf(extension: GeminiCLIExtension): ExtensionServers[] {
  const { mcpServers, resolvedSettings = [] } = extension;
  if (!mcpServers || Object.keys(mcpServers).length === 0) return [];
  const unset = resolvedSettings.filter(({ value }) => value === undefined);
  return [
    {
      ...ownerOf(extension),
      servers: mcpServers,
      ...(unset.length > 0 && {
        unsetSettings: Object.fromEntries(unset.map(({ envVar, name }) => [envVar, name])),
      }),
    },
  ];
}

/** Values of settings go to the extension's own processes, and to no other. */
function ownerOf({ name, path, capabilities, resolvedSettings }: GeminiCLIExtension) {
  return {
    name,
    extensionPath: path,
    ...(capabilities && { capabilities }),
    ...(resolvedSettings && { settings: valuesOf(resolvedSettings) }),
  };
}

function valuesOf(settings: readonly ResolvedExtensionSetting[]): Record<string, string> {
  return Object.fromEntries(
    settings.flatMap(({ envVar, value }) => (value === undefined ? [] : [[envVar, value]])),
  );
}

function moved(active: readonly GeminiCLIExtension[]): ExtensionProblem[] {
  return active
    .filter(({ migratedTo, installMetadata }) => migratedTo && installMetadata?.source !== migratedTo)
    .map(({ name, migratedTo }) => ({
      level: 'warning',
      message: `The extension "${name}" has moved to ${migratedTo}: "gemini extensions update ${name}" follows it.`,
    }));
}
