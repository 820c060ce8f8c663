/** What the installed extensions bring to a project, in the form in which the parts of the engine take it. */
import { join } from 'node:path';
import type { ExtensionHooks } from '../../hooks/sources/extension-files.js';
import type { ExtensionServers } from '../../mcp/servers/resolve-servers.js';
import { SecretStore } from '../../platform/secrets/secret-store.js';
import { pathVariables } from '../manifest/variables.js';
import { resolveSettings } from '../settings/read-values.js';
import type { ExtensionProblem, GeminiCLIExtension, ResolvedExtensionSetting } from '../types.js';
import { type LoadOptions, loadExtensions } from './load-extensions.js';

export interface ExtensionParts {
  /** All that are installed, inactive ones too. */
  extensions: readonly GeminiCLIExtension[];
  extensionAgents: readonly ExtensionAgents[];
  extensionHooks: readonly ExtensionHooks[];
  extensionServers: readonly ExtensionServers[];
}

export interface ExtensionAgents {
  dir: string;
  extensionName: string;
  variables: Readonly<Record<string, string>>;
}

export interface PartsRequest extends LoadOptions {
  /** False: values of settings are not read (`experimental.extensionConfig`). */
  readsSettings: boolean;
}

export async function extensionParts(
  request: PartsRequest,
): Promise<ExtensionParts & { problems: ExtensionProblem[] }> {
  const { extensions, problems } = loadExtensions(request);
  const secrets = new SecretStore({ env: request.variables });
  const withValues = await Promise.all(
    extensions.map(async (extension) => {
      if (!extension.isActive || !extension.settings || !request.readsSettings) return extension;
      return { ...extension, resolvedSettings: await resolveSettings(extension, { ...request, secrets }) };
    }),
  );
  const active = withValues.filter(({ isActive }) => isActive);
  return {
    extensions: withValues,
    problems: [...problems, ...moved(active)],
    extensionAgents: active.filter(({ agents }) => agents).map((one) => agentsOf(one, request)),
    extensionHooks: active.filter(({ hooks }) => hooks).map((one) => hooksOf(one, request)),
    extensionServers: active.flatMap(serversOf),
  };
}

type Places = Pick<LoadOptions, 'workspacePath'>;

function agentsOf({ name, path }: GeminiCLIExtension, { workspacePath }: Places): ExtensionAgents {
  return {
    dir: join(path, 'agents'),
    extensionName: name,
    variables: pathVariables({ extensionPath: path, workspacePath }),
  };
}

function hooksOf(extension: GeminiCLIExtension, { workspacePath }: Places): ExtensionHooks {
  const { name, path } = extension;
  return {
    dir: path,
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
