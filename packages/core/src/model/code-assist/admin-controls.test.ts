import { expect, it } from 'vitest';
import { ApiError } from '../errors/api-error.js';
import { fetchAdminControls, parseAdminControls } from './admin-controls.js';

it.each([
  ['not applicable', { adminControlsApplicable: false, strictModeDisabled: false }],
  ['empty', {}],
  ['not an object', 'nonsense'],
])('an answer that is %s restricts nothing', (_, answer) => {
  expect(parseAdminControls(answer)).toBeUndefined();
});

it('a missing value means the restrictive choice', () => {
  expect(parseAdminControls({ adminControlsApplicable: true })).toEqual({
    secureModeEnabled: true,
    extensions: { enabled: false },
    mcp: { enabled: false, config: {}, requiredConfig: {} },
    skills: { enabled: false },
  });
});

it('reads every field, also the older name of the strict mode', () => {
  const mcpConfigJson = JSON.stringify({
    mcpServers: { docs: { url: 'https://docs.example' } },
    requiredMcpServers: { audit: { url: 'https://audit.example' } },
  });
  const answer = {
    adminControlsApplicable: true,
    strictModeDisabled: true,
    mcpSetting: { mcpEnabled: true, mcpConfigJson },
    cliFeatureSetting: { extensionsSetting: { extensionsEnabled: true }, unmanagedCapabilitiesEnabled: true },
  };
  expect(parseAdminControls(answer)).toEqual({
    secureModeEnabled: false,
    extensions: { enabled: true },
    mcp: {
      enabled: true,
      config: { docs: { url: 'https://docs.example' } },
      requiredConfig: { audit: { url: 'https://audit.example' } },
    },
    skills: { enabled: true },
  });
  const older = { adminControlsApplicable: true, secureModeEnabled: false };
  expect(parseAdminControls(older)?.secureModeEnabled).toBe(false);
});

it('MCP servers are off when their list cannot be read', () => {
  const mcpSetting = { mcpEnabled: true, mcpConfigJson: '{broken' };
  expect(parseAdminControls({ adminControlsApplicable: true, mcpSetting })?.mcp.enabled).toBe(false);
});

it('a service that does not know the method has no controls; any other failure is reported', async () => {
  const { signal } = new AbortController();
  const failing = (status: number) => ({ call: () => Promise.reject(new ApiError(status, 'no')) });
  expect(await fetchAdminControls(failing(404), 'p', signal)).toBeUndefined();
  expect(await fetchAdminControls(failing(501), 'p', signal)).toBeUndefined();
  await expect(fetchAdminControls(failing(500), 'p', signal)).rejects.toThrow('no');
});
