import { describe, expect, it } from 'vitest';
import { validateSettings } from '../checking/validate.js';
import { formatPath } from '../key-path.js';
import { definitionAt } from '../schema/index.js';
import { OBSOLETE, RENAMES } from './legacy-names.js';
import { migrate } from './migrate.js';

function migrated(root: Record<string, unknown>) {
  const copy = structuredClone(root);
  const { findings } = migrate(copy);
  return { root: copy, findings: findings.map(({ path, message }) => `${formatPath(path)}: ${message}`) };
}

describe('migrate', () => {
  it('converts a version 1 file', () => {
    const { root, findings } = migrated({
      model: 'gemini-2.0-flash',
      approvalMode: 'autoEdit',
      sandbox: { command: 'docker', image: 'gemini-sandbox' },
      telemetry: { enabled: true },
      fileFiltering: { respectGitIgnore: true, maxFileCount: 20000 },
      mcpServers: { 'local-server': { command: 'node', args: ['./server.js'] } },
      hooks: { enabled: true, disabled: ['x'], notifications: false, BeforeTool: [] },
      trustedFolders: ['/a'],
      dataCollectionOptIn: false,
    });
    expect(root).toEqual({
      model: { name: 'gemini-2.0-flash' },
      general: { defaultApprovalMode: 'auto_edit' },
      tools: { sandbox: { command: 'docker', image: 'gemini-sandbox' } },
      telemetry: { enabled: true },
      context: { fileFiltering: { respectGitIgnore: true, maxFileCount: 20000 } },
      mcpServers: { 'local-server': { command: 'node', args: ['./server.js'] } },
      hooks: { BeforeTool: [] },
      hooksConfig: { enabled: true, disabled: ['x'], notifications: false },
      trustedFolders: ['/a'],
      privacy: { usageStatisticsEnabled: false },
    });
    expect(findings).toEqual([]);
    expect(validateSettings(root, 'user').findings).toEqual([]);
  });

  it('maps every old name to an existing setting', () => {
    const isLost = (path: string) => !definitionAt(path.split('.'));
    // Inside the configuration of a model anything goes.
    const targets = RENAMES.map(({ to }) => to.replace(/(modelConfig)\..*/, '$1'));
    expect(targets.filter(isLost)).toEqual([]);
    expect([...RENAMES.map(({ from }) => from), ...OBSOLETE].filter((name) => !isLost(name))).toEqual([]);
  });

  it('prefers the current name over the old one, key by key', () => {
    expect(
      migrated({
        vimMode: true,
        general: { vimMode: false },
        fileFiltering: { respectGitIgnore: false, maxFileCount: 5 },
        context: { fileFiltering: { respectGitIgnore: true } },
        folderTrust: false,
        folderTrustFeature: true,
      }).root,
    ).toEqual({
      general: { vimMode: false },
      context: { fileFiltering: { respectGitIgnore: true, maxFileCount: 5 } },
      security: { folderTrust: { enabled: false } },
    });
  });

  it('turns disable… into the opposite enable…', () => {
    expect(
      migrated({
        disableAutoUpdate: true,
        general: { disableUpdateNag: 'FALSE' },
        accessibility: { disableLoadingPhrases: true },
        fileFiltering: { disableFuzzySearch: false },
      }).root,
    ).toEqual({
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: true },
      ui: { loadingPhrases: 'off' },
      context: { fileFiltering: { enableFuzzySearch: true } },
    });
    const wrong = migrated({ general: { disableAutoUpdate: 'perhaps', vimMode: true } });
    expect(wrong).toEqual({
      root: { general: { vimMode: true } },
      findings: ['general.disableAutoUpdate: expected boolean, received string'],
    });
  });

  it('keeps enabled loading phrases', () => {
    const root = { ui: { accessibility: { enableLoadingPhrases: true }, loadingPhrases: 'tips' } };
    expect(migrated(root).root).toEqual(root);
    expect(
      migrated({ ui: { accessibility: { enableLoadingPhrases: false }, loadingPhrases: 'tips' } }).root,
    ).toEqual({
      ui: { loadingPhrases: 'tips' },
    });
  });

  it('converts names inside sections', () => {
    expect(
      migrated({
        tools: { approvalMode: 'plan' },
        chatCompression: { contextPercentageThreshold: 0.7 },
        experimental: {
          codebaseInvestigatorSettings: {
            enabled: true,
            maxNumTurns: 5,
            maxTimeMinutes: 3,
            model: 'pro',
            thinkingBudget: 9,
          },
          cliHelpAgentSettings: { enabled: false },
          plan: false,
          topicUpdateNarration: false,
        },
        security: { allowedEnvironmentVariables: ['A'], blockedEnvironmentVariables: ['B'] },
        context: { loadFromIncludeDirectories: true },
        ui: { theme: 'VS2015' },
      }).root,
    ).toEqual({
      general: { defaultApprovalMode: 'plan', plan: { enabled: false }, topicUpdateNarration: false },
      model: { compressionThreshold: 0.7 },
      agents: {
        overrides: {
          codebase_investigator: {
            enabled: true,
            runConfig: { maxTurns: 5, maxTimeMinutes: 3 },
            modelConfig: {
              model: 'pro',
              generateContentConfig: { thinkingConfig: { thinkingBudget: 9 } },
            },
          },
          cli_help: { enabled: false },
        },
      },
      security: { environmentVariableRedaction: { allowed: ['A'], blocked: ['B'] } },
      context: { loadMemoryFromIncludeDirectories: true },
      ui: { theme: 'Default' },
    });
  });

  it.each([
    [{ experimental: { plan: { enabled: true } } }, { general: { plan: { enabled: true } } }],
    [{ experimental: { plan: true } }, { general: { plan: { enabled: true } } }],
    [{ preferredEditor: 'nvim' }, { general: { preferredEditor: 'neovim' } }],
    [{ tools: { enableHooks: false } }, { hooksConfig: { enabled: false } }],
  ])('reads %j as %j', (written, root) => {
    expect(migrated(written)).toEqual({ root, findings: [] });
  });

  it('accepts keys of older versions without a word, and leaves them in the file', () => {
    const root = {
      general: { previewFeatures: true, sessionRetention: { warningAcknowledged: true } },
      tools: { autoAccept: true },
      experimental: { useModelRouter: true },
    };
    const { findings, moves, obsolete } = migrate(root);
    expect({ root, findings, moves }).toEqual({ root: {}, findings: [], moves: [] });
    expect(obsolete).toEqual([
      'experimental.useModelRouter',
      'general.previewFeatures',
      'general.sessionRetention.warningAcknowledged',
      'tools.autoAccept',
    ]);
  });

  it('reports yolo', () => {
    expect(
      migrated({
        tools: { core: [] },
        general: { defaultApprovalMode: 'yolo' },
      }),
    ).toEqual({
      root: { tools: { core: [] } },
      findings: ['general.defaultApprovalMode: a file cannot enable yolo mode; this value is ignored'],
    });
  });

  it('converts agent lists to enabled flags; disabled wins, an explicit flag stays', () => {
    expect(
      migrated({
        agents: {
          enabled: ['a', 'browser-agent', 'kept'],
          disabled: ['a', 5, '__proto__'],
          overrides: { browser_agent: { runConfig: { maxTurns: 3 } }, kept: { enabled: false } },
        },
      }).root,
    ).toEqual({
      agents: {
        enabled: [],
        disabled: [5],
        overrides: {
          a: { enabled: false },
          browser_agent: { runConfig: { maxTurns: 3 }, enabled: true },
          kept: { enabled: false },
        },
      },
    });
    expect(({} as Record<string, unknown>)['enabled']).toBeUndefined();
    expect(migrated({ agents: { enabled: false } }).root).toEqual({ experimental: { enableAgents: false } });
  });

  it('does not break a section that is not an object', () => {
    expect(migrated({ vimMode: true, general: 5, ui: [], theme: 'x' }).root).toEqual({ general: 5, ui: [] });
  });
});
