import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
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
    expect(commands()).toEqual(['user-json', 'user-toml', 'project-json', 'one', 'two']);
    settings.setTrusted(false);
    expect(commands()).toEqual(['user-json', 'user-toml']);
    expect(settings.problems).toEqual([]);
  });

  it('report errors in hooks.toml by line and drop only the wrong entries', async () => {
    const path = place.putFile(
      join(place.home, '.gemini', 'hooks.toml'),
      '[hooks.AfterTool]\nhooks = [ { type = "command", command = "good" }, { type = "command", command = 5 } ]\n' +
        '\n[hooks.AfterTol]\nhooks = []\n',
    );
    const settings = place.load();
    await settings.loadExtraFiles();
    expect(settings.merged.hooks).toEqual({ AfterTool: [{ hooks: [{ type: 'command', command: 'good' }] }] });
    expect(settings.problems).toEqual([
      {
        severity: 'warning',
        file: path,
        line: 1,
        keyPath: 'hooks.AfterTool[0].hooks[1].command',
        message: 'expected string, received number',
        hint: 'Until it is right, hooks.AfterTool[0].hooks[1] is left out.',
      },
      {
        severity: 'warning',
        file: path,
        line: 4,
        keyPath: 'hooks.AfterTol',
        message: 'unknown key',
        hint: 'Did you mean hooks.AfterTool?',
      },
    ]);
    place.putFile(path, '[hooks.AfterTool]\nhooks = [\n');
    await settings.loadExtraFiles();
    expect(settings.problems).toEqual([expect.objectContaining({ severity: 'error', file: path, line: 3 })]);
    expect(settings.merged).toEqual({});
    rmSync(path);
    execFileSync('mkfifo', [path]);
    await settings.loadExtraFiles();
    expect(settings.problems).toEqual([
      expect.objectContaining({ severity: 'error', file: path, message: 'it is not a regular file.' }),
    ]);
    rmSync(path);
    await settings.loadExtraFiles();
    expect(settings.problems).toEqual([]);
  });
});
