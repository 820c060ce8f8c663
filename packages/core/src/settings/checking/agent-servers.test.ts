/** Tests which files may trust an MCP server that belongs to one agent. */
import { expect, it } from 'vitest';
import { mergeSettings } from '../reading/merge.js';
import type { Settings } from '../schema/index.js';
import type { SettingScope } from '../types.js';
import { validateSettings } from './validate.js';

const settingsWith = (server: object) => ({
  agents: { overrides: { asker: { mcpServers: { own: server } } } },
});
const serverIn = ({ agents }: Settings) => agents?.overrides?.['asker']?.mcpServers?.['own'];

it.each<[SettingScope, boolean]>([
  ['system', true],
  ['user', true],
  ['workspace', false],
])('trust for a server of an agent in %s settings counts: %s', (scope, counts) => {
  const { settings, findings } = validateSettings(settingsWith({ command: 'x', trust: true }), scope);
  expect(serverIn(settings)).toEqual({ command: 'x', ...(counts && { trust: true }) });
  expect(findings).toHaveLength(counts ? 0 : 1);
});

it('a project that replaces the command of a trusted server loses the trust', () => {
  const user = validateSettings(settingsWith({ command: 'x', trust: true }), 'user').settings;
  const project = validateSettings(settingsWith({ command: 'y' }), 'workspace').settings;
  expect(serverIn(mergeSettings([user, project]))).toEqual({ command: 'y' });
});
