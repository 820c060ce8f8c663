import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SettingsHome, settingsHome } from '../settings-home.test-helper.js';

let place: SettingsHome;
beforeEach(() => {
  place = settingsHome();
});
afterEach(() => place.cleanup());

describe('the extra files', () => {
  const mcpFile = () => join(place.home, '.gemini', 'mcp-settings.json');

  it('give mcp-settings.json a lower rank than the user file, server by server', () => {
    place.put('system-defaults', { mcpServers: { a: { command: 'low', trust: true } } });
    place.putFile(mcpFile(), { mcpServers: { a: { command: 'mid' }, b: { command: 'mid' } } });
    place.put('user', { mcpServers: { b: { command: 'high' } } });
    const settings = place.load();
    expect(settings.merged.mcpServers).toEqual({ a: { command: 'mid' }, b: { command: 'high' } });
    expect(settings.layer('user').mcpServers).toEqual({ a: { command: 'mid' }, b: { command: 'high' } });
  });

  it('ignore other settings in mcp-settings.json and never end the program', () => {
    place.putFile(mcpFile(), '{\n "mcpServers": {},\n "tools": { "allowed": ["x"] } }');
    const settings = place.load();
    expect(settings.merged).toEqual({ mcpServers: {} });
    expect(settings.problems).toEqual([
      expect.objectContaining({ file: mcpFile(), line: 3, keyPath: 'tools', severity: 'warning' }),
    ]);
    place.putFile(mcpFile(), '{');
    expect(place.load().problems).toEqual([
      expect.objectContaining({ file: mcpFile(), line: 1, severity: 'error' }),
    ]);
  });

  it('append hooks.toml to the hooks of its scope, the one of the project only when trusted', async () => {
    const hook = (command: string) => [{ hooks: [{ type: 'command' as const, command }] }];
    place.put('user', { hooks: { BeforeTool: hook('user-json') } });
    place.put('workspace', { hooks: { BeforeTool: hook('project-json') } });
    place.putFile(
      join(place.home, '.gemini', 'hooks.toml'),
      '[hooks.BeforeTool]\nmatcher = "write_.*"\nsequential = true\nhooks = [ { type = "command", command = "user-toml" } ]\n',
    );
    place.putFile(
      join(place.cwd, '.gemini', 'hooks.toml'),
      '[[hooks.BeforeTool]]\n[[hooks.BeforeTool.hooks]]\ntype = "command"\ncommand = "one"\n' +
        '[[hooks.BeforeTool]]\nhooks = [ { type = "command", command = "$TWO" } ]\n',
    );
    const settings = place.load({ trusted: false, env: { TWO: 'two' } });
    const commands = () =>
      settings.merged.hooks?.BeforeTool?.map((group) => group.hooks?.map(({ command }) => command).join());
    await settings.loadExtraFiles();
    expect(commands()).toEqual(['user-json', 'user-toml']);
    expect(settings.merged.hooks?.BeforeTool?.[1]).toMatchObject({ matcher: 'write_.*', sequential: true });
    settings.setTrusted(true);
    await settings.loadExtraFiles();
    expect(commands()).toEqual(['user-json', 'user-toml', 'project-json', 'one', '$TWO']);
    settings.setTrusted(false);
    expect(commands()).toEqual(['user-json', 'user-toml']);
    expect(settings.problems).toEqual([]);
  });
});
