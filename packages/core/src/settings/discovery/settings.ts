/** Lists the keys in the folder's settings and warns about those that weaken the user's protection. */
import { messageOf } from '../../base/errors.js';
import { JsoncError, parseJsonc } from '../../base/jsonc.js';
import { isObject } from '../../base/objects.js';
import { cleanLabel } from './clean.js';
import type { DiscoveryContext } from './context.js';
import type { FolderReader } from './folder-reader.js';
import { listOf, mayBeFalse, mayBeTrue, type Table, valueAt } from './values.js';

const PATH = '.gemini/settings.json';
/** Shown in other groups, or without effect. */
const ELSEWHERE = new Set(['mcpServers', 'hooks', '$schema']);

/** `{}` when there are none; errors are reported. */
export function readWorkspaceSettings(folder: FolderReader): Table {
  const text = folder.text(PATH);
  if (text === undefined || text.trim() === '') return {};
  try {
    const value = parseJsonc(text);
    if (isObject(value)) return value;
    folder.error(PATH, 'must hold one JSON object');
  } catch (error) {
    const place = error instanceof JsoncError ? `line ${error.line}, column ${error.column}: ` : '';
    folder.error(PATH, `is not valid JSON: ${place}${messageOf(error)}`);
  }
  return {};
}

export function discoverSettings({ folder, settings }: DiscoveryContext): string[] {
  for (const { keys, isRisky, warning } of RISKS) {
    const key = keys.find((keyPath) => {
      const value = valueAt(settings, keyPath);
      return value !== undefined && isRisky(value);
    });
    if (key) folder.warn(`Settings: ${warning} (${key}).`);
  }
  return Object.keys(settings)
    .filter((key) => !ELSEWHERE.has(key))
    .map(cleanLabel);
}

interface Risk {
  /** With the old flat names. */
  keys: string[];
  isRisky: (value: unknown) => boolean;
  warning: string;
}

const isGiven = (value: unknown) => value !== null && value !== '';
const isFilled = (value: unknown) => (isObject(value) ? Object.keys(value) : listOf(value)).length > 0;
const isSandboxOff = (value: unknown) => mayBeFalse(isObject(value) ? value['enabled'] : value);
const isOn = (value: unknown) => mayBeTrue(isObject(value) ? value['enabled'] : value);

const RISKS: readonly Risk[] = [
  { keys: ['tools.allowed', 'allowedTools'], isRisky: isFilled, warning: 'some tools run without asking' },
  {
    keys: ['security.folderTrust.enabled', 'folderTrust', 'folderTrustFeature'],
    isRisky: mayBeFalse,
    warning: 'they try to switch folder trust off',
  },
  { keys: ['tools.sandbox', 'sandbox'], isRisky: isSandboxOff, warning: 'the sandbox is disabled' },
  {
    keys: ['model.providers'],
    isRisky: isFilled,
    warning: 'prompts may be sent to another model service',
  },
  { keys: ['general.proxy', 'proxy'], isRisky: isGiven, warning: 'connections go through another proxy' },
  {
    keys: [
      'security.auth.selectedType',
      'selectedAuthType',
      'security.auth.enforcedType',
      'enforcedAuthType',
      'security.auth.useExternal',
      'useExternalAuth',
    ],
    isRisky: isGiven,
    warning: 'the way of signing in is changed',
  },
  { keys: ['telemetry'], isRisky: isOn, warning: 'telemetry is enabled' },
  {
    keys: ['tools.discoveryCommand', 'toolDiscoveryCommand', 'tools.callCommand', 'toolCallCommand'],
    isRisky: isGiven,
    warning: 'a command of the folder is run to find tools',
  },
  {
    keys: ['mcp.serverCommand', 'mcpServerCommand'],
    isRisky: isGiven,
    warning: 'a command of the folder is run as an MCP server',
  },
  {
    keys: ['tools.shell.pager', 'shellPager'],
    isRisky: (value) => isGiven(value) && value !== 'cat',
    warning: 'commands such as git show their output by a program of its choice',
  },
  {
    keys: ['tools.confirmationRequired'],
    isRisky: () => true,
    warning: 'the list of tools that always ask is replaced',
  },
  { keys: ['tools.webSearch'], isRisky: isFilled, warning: 'searches go to another service' },
  {
    keys: ['experimental.gemmaModelRouter.binaryPath', 'experimental.gemmaModelRouter.classifier.host'],
    isRisky: isGiven,
    warning: 'another program or server takes part in choosing the model',
  },
  {
    keys: ['mcp.autoAllowInHeadless'],
    isRisky: mayBeTrue,
    warning: 'without a terminal, tools of MCP servers run without asking',
  },
  {
    keys: ['mcp.allowed', 'allowMCPServers'],
    isRisky: isFilled,
    warning: 'tools of some MCP servers are allowed',
  },
  { keys: ['policyPaths'], isRisky: isFilled, warning: 'more policy files are read' },
  {
    keys: ['context.includeDirectories', 'includeDirectories'],
    isRisky: isFilled,
    warning: 'other directories are taken into the workspace',
  },
  {
    keys: ['general.defaultApprovalMode', 'approvalMode', 'tools.approvalMode'],
    isRisky: (value) => !['default', 'plan', 'interactive'].includes(String(value)),
    warning: 'edits are made without asking',
  },
  {
    keys: ['security.environmentVariableRedaction.enabled'],
    isRisky: mayBeFalse,
    warning: 'secrets in the environment are passed on to commands',
  },
  {
    keys: ['security.environmentVariableRedaction.allowed', 'security.allowedEnvironmentVariables'],
    isRisky: isFilled,
    warning: 'some variables are passed on to commands even if they look secret',
  },
  {
    keys: ['security.maskSecretsForModel'],
    isRisky: mayBeFalse,
    warning: 'secrets in tool output are shown to the model',
  },
  {
    keys: [
      'security.disableYoloMode',
      'disableYoloMode',
      'security.disableAlwaysAllow',
      'disableAlwaysAllow',
    ],
    isRisky: mayBeFalse,
    warning: 'a restriction of approvals is lifted',
  },
  {
    keys: ['experimental.extensionRegistryURI', 'advanced.bugCommand', 'bugCommand'],
    isRisky: isGiven,
    warning: 'an address the program uses is replaced',
  },
  {
    keys: ['hooksConfig.enabled', 'hooks.enabled'],
    isRisky: mayBeFalse,
    warning: 'all hooks are disabled, yours too',
  },
  {
    keys: ['hooksConfig.disabled', 'hooks.disabled'],
    isRisky: isFilled,
    warning: 'hooks are disabled by name, yours too',
  },
];
