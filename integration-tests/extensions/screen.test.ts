/** `/extensions` of the built program: headless, and on the screen with the gallery. */
import { describe, expect, it } from 'vitest';
import { type TestRig, testRig } from '../test-utils.js';
import { command, LONG, startUi } from '../ui/ui.js';

const SIZE = { cols: 110, rows: 40 };

function withExtensions(rig: TestRig, settings: object = {}): void {
  rig.writeHome('settings.json', JSON.stringify(settings));
  for (const name of ['weather', 'notes'])
    rig.writeHome(
      `extensions/${name}/gemini-extension.json`,
      JSON.stringify({ name, version: '1.0.0', description: `All about ${name}` }),
    );
}

describe('/extensions without a screen', () => {
  it('lists, disables and names what is unknown', async () => {
    const rig = await testRig();
    withExtensions(rig);
    const listed = await rig.cli('-p', '/extensions list');
    expect(listed.exitCode).toBe(0);
    expect(listed.stdout).toMatch(/notes.*1\.0\.0, enabled[\s\S]*weather.*1\.0\.0, enabled/);
    const disabled = await rig.cli('-p', '/extensions disable weather --scope=workspace');
    expect(disabled.stdout).toContain(
      'Extension "weather" disabled (workspace). Restart gemini to apply it.',
    );
    expect((await rig.cli('-p', '/extensions')).stdout).toMatch(/weather.*1\.0\.0, disabled/);
    const unknown = await rig.cli('-p', '/extensions enable nothing');
    expect(unknown.exitCode).toBe(42);
    expect(unknown.stderr).toContain('Extension not found: nothing. Installed: notes, weather.');
    expect(rig.model.requests).toEqual([]);
  });
});

describe('/extensions on the screen', { timeout: 60_000 }, () => {
  it('lists what is installed, and completes names', async () => {
    const rig = await testRig();
    withExtensions(rig);
    const screen = await startUi(rig, [], SIZE);
    await command(screen, '/extensions list');
    await screen.waitFor(/weather.*1\.0\.0, enabled/, LONG);
    expect(screen.text()).toContain('All about notes');
    screen.type('/extensions disable w');
    await screen.waitFor(/^\W*weather\W*$/m, LONG);
  });

  it('browses the gallery of a file: search, details, back, close', async () => {
    const rig = await testRig();
    const entry = (name: string, more: object = {}) => ({
      id: name,
      rank: 1,
      url: `https://github.com/acme/${name}`,
      fullName: `acme/${name}`,
      extensionName: name,
      extensionVersion: '2.1.0',
      extensionDescription: `All about ${name}`,
      stars: 7,
      hasSkills: true,
      ...more,
    });
    rig.write('list.json', JSON.stringify([entry('maps'), entry('weather'), entry('tides')]));
    withExtensions(rig, {
      experimental: { extensionRegistry: true, extensionRegistryURI: rig.path('list.json') },
    });
    const screen = await startUi(rig, [], SIZE);
    await command(screen, '/extensions explore');
    await screen.waitFor('Extensions gallery · 3 of 3', LONG);
    expect(screen.text()).toContain('weather 2.1.0: acme/weather · 7 stars · installed');
    screen.type('tide');
    await screen.waitFor('● tides 2.1.0', LONG);
    screen.press('Enter');
    await screen.waitFor('Brings: skills', LONG);
    expect(screen.text()).toContain('Repository: https://github.com/acme/tides');
    screen.press('Esc');
    await screen.waitFor('Search: tide', LONG);
    screen.press('Esc');
    await screen.waitFor('Type your message or @path/to/file', LONG);
    expect(rig.model.requests).toEqual([]);
  });

  it('counts no MCP server any more when the last one is disabled with its extension', async () => {
    const rig = await testRig();
    withExtensions(rig, { experimental: { extensionReloading: true } });
    const mcpServers = { tides: { command: 'node', args: ['-e', 'process.stdin.resume()'] } };
    const manifest = { name: 'sea', version: '1.0.0', mcpServers };
    rig.writeHome('extensions/sea/gemini-extension.json', JSON.stringify(manifest));
    const screen = await startUi(rig, [], SIZE);
    await screen.waitFor('1 MCP server', LONG);
    await command(screen, '/extensions disable sea');
    await screen.waitFor('Extension "sea" disabled (session).', LONG);
    await screen.waitFor((text) => !text.includes('1 MCP server'), LONG);
  });

  it('continues with the same conversation when extensions are loaded again', async () => {
    const rig = await testRig();
    withExtensions(rig, { experimental: { extensionReloading: true } });
    const screen = await startUi(rig, [], SIZE);
    await command(screen, '/extensions disable weather');
    await screen.waitFor('Extension "weather" disabled (session).', LONG);
    await command(screen, '/extensions list');
    await screen.waitFor(/weather.*1\.0\.0, disabled/, LONG);
    await command(screen, '/extensions restart');
    await screen.waitFor('Extensions loaded again: 1 enabled.', LONG);
  });
});
