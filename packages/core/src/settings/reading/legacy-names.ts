/** Tables of older setting names and their current names. */

export interface Rename {
  from: string;
  to: string;
  /** `disable…` became `enable…`. */
  inverted?: boolean;
}

/** Names at the root of a version 1 file. Of two for the same setting the first counts. */
const FLAT: Readonly<Record<string, string>> = {
  sandbox: 'tools.sandbox',
  approvalMode: 'general.defaultApprovalMode',
  fileFiltering: 'context.fileFiltering',
  theme: 'ui.theme',
  customThemes: 'ui.customThemes',
  customWittyPhrases: 'ui.customWittyPhrases',
  vimMode: 'general.vimMode',
  preferredEditor: 'general.preferredEditor',
  checkpointing: 'general.checkpointing',
  debugKeystrokeLogging: 'general.debugKeystrokeLogging',
  retryFetchErrors: 'general.retryFetchErrors',
  sessionStorageDir: 'general.sessionStorageDir',
  maxSessions: 'general.maxSessions',
  autoSaveInterval: 'general.autoSaveInterval',
  sessionId: 'general.sessionId',
  proxy: 'general.proxy',
  hideBanner: 'ui.hideBanner',
  hideTips: 'ui.hideTips',
  hideFooter: 'ui.hideFooter',
  hideWindowTitle: 'ui.hideWindowTitle',
  hideContextSummary: 'ui.hideContextSummary',
  showMemoryUsage: 'ui.showMemoryUsage',
  showLineNumbers: 'ui.showLineNumbers',
  showCitations: 'ui.showCitations',
  showStatusInTitle: 'ui.showStatusInTitle',
  accessibility: 'ui.accessibility',
  hideCWD: 'ui.footer.hideCWD',
  hideSandboxStatus: 'ui.footer.hideSandboxStatus',
  hideModelInfo: 'ui.footer.hideModelInfo',
  showUserIdentity: 'ui.showUserIdentity',
  renderMarkdown: 'ui.renderMarkdown',
  ideMode: 'ide.enabled',
  hasSeenIdeIntegrationNudge: 'ide.hasSeenNudge',
  usageStatisticsEnabled: 'privacy.usageStatisticsEnabled',
  dataCollectionOptIn: 'privacy.usageStatisticsEnabled',
  maxSessionTurns: 'model.maxSessionTurns',
  summarizeToolOutput: 'model.summarizeToolOutput',
  skipNextSpeakerCheck: 'model.skipNextSpeakerCheck',
  'chatCompression.contextPercentageThreshold': 'model.compressionThreshold',
  contextFileName: 'context.fileName',
  memoryImportFormat: 'context.importFormat',
  memoryDiscoveryMaxDirs: 'context.discoveryMaxDirs',
  includeDirectories: 'context.includeDirectories',
  loadMemoryFromIncludeDirectories: 'context.loadMemoryFromIncludeDirectories',
  coreTools: 'tools.core',
  allowedTools: 'tools.allowed',
  excludeTools: 'tools.exclude',
  toolDiscoveryCommand: 'tools.discoveryCommand',
  toolCallCommand: 'tools.callCommand',
  useRipgrep: 'tools.useRipgrep',
  enableInteractiveShell: 'tools.shell.enableInteractiveShell',
  shouldUseNodePtyShell: 'tools.shell.enableInteractiveShell',
  shellPager: 'tools.shell.pager',
  shellShowColor: 'tools.shell.showColor',
  mcpServerCommand: 'mcp.serverCommand',
  allowMCPServers: 'mcp.allowed',
  excludeMCPServers: 'mcp.excluded',
  folderTrust: 'security.folderTrust.enabled',
  folderTrustFeature: 'security.folderTrust.enabled',
  selectedAuthType: 'security.auth.selectedType',
  enforcedAuthType: 'security.auth.enforcedType',
  useExternalAuth: 'security.auth.useExternal',
  disableYoloMode: 'security.disableYoloMode',
  disableAlwaysAllow: 'security.disableAlwaysAllow',
  autoConfigureMaxOldSpaceSize: 'advanced.autoConfigureMemory',
  dnsResolutionOrder: 'advanced.dnsResolutionOrder',
  excludedProjectEnvVars: 'advanced.excludedEnvVars',
  bugCommand: 'advanced.bugCommand',
  extensionManagement: 'experimental.extensionManagement',
};

const INVERTED: Readonly<Record<string, string>> = {
  disableAutoUpdate: 'general.enableAutoUpdate',
  disableUpdateNag: 'general.enableAutoUpdateNotification',
  'general.disableAutoUpdate': 'general.enableAutoUpdate',
  'general.disableUpdateNag': 'general.enableAutoUpdateNotification',
  'ui.accessibility.disableLoadingPhrases': 'ui.accessibility.enableLoadingPhrases',
  'context.fileFiltering.disableFuzzySearch': 'context.fileFiltering.enableFuzzySearch',
};

const NESTED: Readonly<Record<string, string>> = {
  'context.loadFromIncludeDirectories': 'context.loadMemoryFromIncludeDirectories',
  'tools.approvalMode': 'general.defaultApprovalMode',
  'experimental.cliHelpAgentSettings.enabled': 'agents.overrides.cli_help.enabled',
  'experimental.plan': 'general.plan.enabled',
  'experimental.topicUpdateNarration': 'general.topicUpdateNarration',
  'tools.enableHooks': 'hooksConfig.enabled',
  'hooks.enabled': 'hooksConfig.enabled',
  'hooks.disabled': 'hooksConfig.disabled',
  'hooks.notifications': 'hooksConfig.notifications',
  'security.allowedEnvironmentVariables': 'security.environmentVariableRedaction.allowed',
  'security.blockedEnvironmentVariables': 'security.environmentVariableRedaction.blocked',
  'experimental.codebaseInvestigatorSettings.enabled': 'agents.overrides.codebase_investigator.enabled',
  'experimental.codebaseInvestigatorSettings.maxNumTurns':
    'agents.overrides.codebase_investigator.runConfig.maxTurns',
  'experimental.codebaseInvestigatorSettings.maxTimeMinutes':
    'agents.overrides.codebase_investigator.runConfig.maxTimeMinutes',
  'experimental.codebaseInvestigatorSettings.model':
    'agents.overrides.codebase_investigator.modelConfig.model',
  'experimental.codebaseInvestigatorSettings.thinkingBudget':
    'agents.overrides.codebase_investigator.modelConfig.generateContentConfig.thinkingConfig.thinkingBudget',
};

/** Flat names first: a flat group may hold a nested name that is outdated too. */
export const RENAMES: readonly Rename[] = [...toList(FLAT), ...toList(INVERTED, true), ...toList(NESTED)];

/**
 * Settings of older Gemini CLIs that have no meaning any more: accepted without a word, since nothing a user relies on
 * is lost; the doctor lists them.
 */
export const OBSOLETE: readonly string[] = [
  'autoAccept',
  'enableMessageBusIntegration',
  'enablePromptCompletion',
  'useModelRouter',
  'useSmartEdit',
  'experimental.enableEventDrivenScheduler',
  'experimental.enableMessageBusIntegration',
  'experimental.enablePromptCompletion',
  'experimental.introspectionAgentSettings',
  'experimental.isModelAvailabilityServiceEnabled',
  'experimental.useModelRouter',
  'general.enablePromptCompletion',
  'general.previewFeatures',
  'general.sessionRetention.warningAcknowledged',
  'model.enableShellOutputEfficiency',
  'tools.autoAccept',
  'tools.enableMessageBusIntegration',
  'tools.enableToolOutputTruncation',
  'tools.truncateToolOutputLines',
  'tools.useSmartEdit',
  'ui.useFullWidth',
];

export const THEME_NAMES: Readonly<Record<string, string>> = { VS: 'Default Light', VS2015: 'Default' };

/** Programs by the name they are started with. */
export const EDITOR_NAMES: Readonly<Record<string, string>> = {
  nvim: 'neovim',
  code: 'vscode',
  codium: 'vscodium',
  subl: 'sublimetext',
  helix: 'hx',
};

/** Equivalent spellings. */
export const MODE_NAMES: Readonly<Record<string, string>> = { autoEdit: 'auto_edit', interactive: 'default' };

function toList(names: Readonly<Record<string, string>>, inverted = false): Rename[] {
  return Object.entries(names).map(([from, to]) => ({ from, to, inverted }));
}
