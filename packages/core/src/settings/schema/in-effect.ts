/**
 * Settings that do something today, as key paths or beginnings of them. The rest is accepted and checked but has
 * no effect yet; the reference page says so. Who makes a setting work adds it here.
 */
export const IN_EFFECT: readonly string[] = [
  '$schema',
  'trustedFolders',
  'useWriteTodos',
  'general.maxAttempts',
  'general.defaultApprovalMode',
  'output.format',
  'model.name',
  'model.providers',
  'model.maxSessionTurns',
  'model.disableLoopDetection',
  'context.includeDirectories',
  'context.includeDirectoryTree',
  'context.fileFiltering.respectGitIgnore',
  'context.fileFiltering.respectGeminiIgnore',
  'context.fileFiltering.searchTimeout',
  'context.fileFiltering.customIgnoreFilePaths',
  'tools.core',
  'tools.exclude',
  'tools.allowed',
  'tools.sandbox',
  'tools.useRipgrep',
  'tools.truncateToolOutputThreshold',
  'tools.shell.enableInteractiveShell',
  'tools.shell.inactivityTimeout',
  'tools.shell.pager',
  'tools.shell.showColor',
  'security.disableYoloMode',
  'security.disableAlwaysAllow',
  'security.maskSecretsForModel',
  'security.folderTrust',
  'security.auth.selectedType',
  'security.auth.enforcedType',
  'security.environmentVariableRedaction',
  'advanced.excludedEnvVars',
  'advanced.ignoreLocalEnv',
  'telemetry',
];

/** What there is to say about the present state of some of them. */
export const REMARKS: Readonly<Record<string, string>> = {
  'model.maxSessionTurns': 'Reached: exit code 53. Without a limit, 100 per prompt.',
  'tools.core': 'Entries with a prefix are left out so far.',
  'tools.allowed': 'Entries with a prefix are left out so far.',
  'tools.exclude': 'An entry with a prefix excludes the whole tool so far.',
  'tools.sandbox': 'There is no sandbox so far: a session that asks for one ends with exit code 44.',
};
