/** What users see of MCP servers in the terminal: the panel, lists, prompts, forms, pages, sampling. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool, registryServer, testRig, text, toolResponses, userText } from '../test-utils.js';
import { ask, command, LONG, startUi } from '../ui/ui.js';
import { everythingRig } from './everything.js';

const SIZE = { cols: 110, rows: 40 };
/** Right after a prompt was typed, keys are for the input and not for a question. */
const NOT_TYPED = ['--approval-mode', 'yolo', '-i'];

describe('MCP servers in the terminal', { timeout: 90_000 }, () => {
  it('are shown in the panel of /mcp, where Space disables and enables one at once and for later', async () => {
    const rig = await everythingRig();
    const screen = await startUi(rig, [], SIZE);
    await screen.waitFor('1 MCP server', LONG);
    await command(screen, '/mcp');
    await screen.waitFor(
      /MCP servers · 1 of 1 connected[\s\S]*● ✓ everything: Ready \(16 of 17 tools, 4 prompts/,
      LONG,
    );
    screen.press('Enter');
    await screen.waitFor(/MCP server everything · Ready[\s\S]*- echo: Echoes back/, LONG);
    screen.press('Esc');
    await screen.waitFor('1 of 1 connected', LONG);
    screen.type(' ');
    await screen.waitFor('● ○ everything: Disabled', LONG);
    const saved = readFileSync(join(rig.home, '.gemini/mcp-server-enablement.json'), 'utf8');
    expect(JSON.parse(saved)).toEqual({ everything: { enabled: false } });
    screen.type(' ');
    await screen.waitFor('● ✓ everything: Ready', LONG);
  });

  it('are listed by /mcp list with every tool; /mcp disable --session holds for this session', async () => {
    const rig = await everythingRig();
    const screen = await startUi(rig, [], { cols: 110, rows: 60 });
    await screen.waitFor('1 MCP server', LONG);
    await command(screen, '/mcp list');
    await screen.waitFor(/everything {2}Ready \(16 of 17 tools[\s\S]*- get-sum[\s\S]*- \/args-prompt/, LONG);
    await command(screen, '/mcp disable everything --session');
    await screen.waitFor("MCP server 'everything' disabled for this session.", LONG);
    await command(screen, '/mcp enable Everything --session');
    await screen.waitFor("Session disable cleared for 'everything'.", LONG);
    await command(screen, '/mcp enable nothing');
    await screen.waitFor('There is no MCP server "nothing". There are: everything.', LONG);
  });

  it('that were added outside start with /mcp reload, and a broken file changes nothing', async () => {
    const rig = await testRig();
    const screen = await startUi(rig, [], SIZE);
    await ask(screen, '/mcp list', 'No MCP servers configured.');
    const { command: program, args } = registryServer('memory');
    const added = await rig.cli('mcp', 'add', 'memory', program, ...args);
    expect(added.stdout).toBe('MCP server "memory" added to project settings. (stdio)\n');
    await ask(screen, '/mcp reload', 'Restarted the MCP servers: 1 of 1 connected.');
    rig.write('.gemini/settings.json', '{ "mcpServers": ');
    await ask(screen, '/mcp reload', 'settings.json');
    await ask(screen, '/mcp list', /memory {2}Ready \(\d+ tools/);
  });

  it('offer their prompts and resources while the user types', async () => {
    const rig = await everythingRig();
    rig.model.replies([text('Mild.')]);
    const screen = await startUi(rig, [], SIZE);
    await ask(screen, '/mcp list', '- get-sum');
    screen.type('/args-p');
    await screen.waitFor('args-prompt  A prompt with two arguments', LONG);
    screen.type('rompt Paris');
    screen.press('Enter');
    await screen.waitFor('Mild.', LONG);
    expect(userText(rig)).toContain("What's weather in Paris?");
    screen.type('look at @structure');
    await screen.waitFor('everything:demo://resource/static/document/structure.md', LONG);
  });

  it('learn of a directory that the user adds', async () => {
    const rig = await everythingRig({}, { 'sub/a.txt': 'a' });
    rig.model.replies([callTool('mcp_everything_get-roots-list')], [text('Two.')]);
    const screen = await startUi(rig, ['--approval-mode', 'yolo'], SIZE);
    await ask(screen, '/mcp list', '- get-sum');
    // The first Enter completes the path.
    await command(screen, '/directory add sub');
    await screen.waitFor('/directory add sub/', LONG);
    screen.press('Enter');
    await screen.waitFor('Added to the workspace', LONG);
    await ask(screen, 'which roots?', 'Two.');
    expect(toolResponses(rig)[0]?.response.output).toContain(`file://${rig.path('sub')}`);
  });

  it('ask the user with a form, which checks what is entered', async () => {
    const rig = await everythingRig();
    rig.model.replies([callTool('mcp_everything_trigger-elicitation-request')], [text('Thanks.')]);
    const screen = await rig.screen([...NOT_TYPED, 'fill it in'], SIZE);
    await screen.waitFor('Form of the MCP server everything', LONG);
    screen.press('Up');
    screen.press('Up');
    await screen.waitFor('● Send', LONG);
    screen.press('Enter');
    await screen.waitFor('String: a value is needed', LONG);
    screen.type('Ada Lovelace');
    await screen.waitFor('String (required): Ada Lovelace', LONG);
    screen.press('Enter');
    await screen.waitFor('● Boolean: not answered', LONG);
    screen.type(' ');
    await screen.waitFor('● Boolean: yes', LONG);
    screen.press('Up');
    screen.press('Up');
    screen.press('Up');
    await screen.waitFor('● Send', LONG);
    screen.press('Enter');
    await screen.waitFor('Thanks.', LONG);
    expect(toolResponses(rig)[0]?.response.output).toContain('Name: Ada Lovelace');
  });

  it('open a page only after the user agrees; the model learns of a refusal', async () => {
    const rig = await everythingRig();
    const call = callTool('mcp_everything_trigger-url-elicitation', {
      url: 'https://pages.example/form?x=1',
    });
    rig.model.replies([call], [text('Then not.')]);
    const screen = await rig.screen([...NOT_TYPED, 'open it'], SIZE);
    await screen.waitFor(
      /https:\/\/pages\.example\/form\?x=1[\s\S]*Open pages\.example in your browser\?/,
      LONG,
    );
    screen.press('Down');
    screen.press('Enter');
    await screen.waitFor('Then not.', LONG);
    expect(toolResponses(rig)[0]?.response.output).toMatch(/declin/i);
  });

  it('ask the model only after the user has seen the request, even in yolo mode', async () => {
    const rig = await everythingRig();
    const call = callTool('mcp_everything_trigger-sampling-request', { prompt: 'What is MCP?' });
    rig.model.replies([call], [text('A protocol.')], [text('Now I know.')]);
    const screen = await startUi(rig, ['--approval-mode', 'yolo'], SIZE);
    await screen.waitFor('1 MCP server', LONG);
    await command(screen, 'ask');
    await screen.waitFor(/An MCP server asks the model[\s\S]*What is MCP\?[\s\S]*● 1\. Allow once/, LONG);
    screen.press('Enter');
    await screen.waitFor('Now I know.', LONG);
    expect(toolResponses(rig)[0]?.response.output).toContain('A protocol.');
    await ask(screen, '/cost', 'mcp sampling');
  });
});
