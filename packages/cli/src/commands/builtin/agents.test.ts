import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '@gemini-cli/core';
import { createTestConfig } from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import { plainItem } from '../../history/plain-item.js';
import { builtinCommands } from '../loaders/builtin.js';
import { runCommand } from '../run-command.js';
import { type TestContextOptions, testContext } from '../testing/context.test-helper.js';

const commands = builtinCommands();

async function setup() {
  const config: Config = await createTestConfig({});
  const root = config.getTargetDir();
  const userDir = join(config.storage.getGlobalGeminiDir(), 'agents');
  mkdirSync(userDir, { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(userDir, `${name}.md`), text);
  const calls: string[] = [];
  const run = async (line: string, options: TestContextOptions = {}) => {
    const context = testContext({ config, cwd: root, commands, ...options });
    Object.defineProperty(context.services.settings, 'file', { value: () => ({ exists: false }) });
    const { result } = await runCommand(line, commands, context);
    calls.push(...context.calls);
    if (result?.type === 'message') return result.content;
    if (result?.type === 'items') return result.items.map(plainItem).join('\n');
    return result?.type === 'confirm_action' ? String(result.prompt) : JSON.stringify(result);
  };
  return { config, run, calls, write, userDir };
}

const agent = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\nWork.\n`;

describe('/agents', { timeout: 60_000 }, () => {
  it('lists local and remote agents with their state', async () => {
    const { run, write } = await setup();
    expect(await run('/agents')).toMatch(
      /^Built-in agents:\n {2}Codebase Investigator {2}\(codebase_investigator, local, builtin\)/,
    );
    write('a', agent('a', 'display_name: Helper\n'));
    write('b', '---\nkind: remote\nname: b\ndescription: Far.\nagent_card_url: https://a.example\n---\n');
    expect(await run('/agents refresh')).toBe('5 agents: 4 local, 1 remote.\nNew: a, b');
    const list = await run('/agents list');
    expect(list).toMatch(/Local agents[\s\S]*Helper.*a, local, user[\s\S]*Does a\./);
    expect(list).toMatch(/Remote agents[\s\S]*b.*remote, user/);
  });

  it('reloads, with names of new, updated and deleted agents and every mistake', async () => {
    const { run, write } = await setup();
    write('a', agent('a'));
    write('bad', agent('bad', 'tools: Read\ncolor: red\n'));
    const text = await run('/agents reload');
    expect(text).toContain('New: a');
    expect(text).toContain('(Local Agent) tools: Expected array, received string');
    expect(text).toContain("Unrecognized key(s) in object: 'color'");
    expect(text).toContain('/agents fix');
    const list = await run('/agents');
    expect(list).toMatch(/Files that do not load \(repair them: \/agents fix\)[\s\S]*bad\.md.*invalid/);
    expect(list).toContain('tools: Expected array, received string');
  });

  it('repairs files after a preview, and keeps copies', async () => {
    const { run, write, userDir } = await setup();
    expect(await run('/agents fix')).toBe('All agent files are valid.');
    write('bad', agent('bad', 'tools: Read\ncolor: red\n'));
    const asked = await run('/agents fix');
    expect(asked).toContain('+  - read_file');
    expect(asked).toContain('Write these changes, and keep copies?');
    expect(readFileSync(join(userDir, 'bad.md'), 'utf8')).toContain('color: red');
    const done = await run('/agents fix', { overwriteConfirmed: true });
    expect(done).toContain('4 agents: 4 local, 0 remote.');
    expect(existsSync(join(userDir, 'bad.md.bak'))).toBe(true);
    expect(await run('/agents list')).toContain('bad');
  });

  it('enables and disables by name, - and _ being equal', async () => {
    const { run, write, calls } = await setup();
    write('a', agent('my-agent'));
    await run('/agents reload');
    expect(await run('/agents disable my_agent')).toBe('Disabled the agent my-agent in the user settings.');
    expect(await run('/agents enable my-agent')).toBe('The agent my-agent is enabled already.');
    expect(calls).toContain('changeSetting("user", "agents.overrides.my-agent.enabled", false)');
    expect(await run('/agents disable nothing')).toContain(
      'There is no agent "nothing". Agents: codebase_investigator, cli_help, generalist, browser_agent, my-agent',
    );
    expect(await run('/agents enable')).toContain('Which agent?');
  });

  it('opens the configuration of an agent, and completes names', async () => {
    const { run, write, calls, config } = await setup();
    write('a', agent('alpha'));
    write('b', agent('beta'));
    await run('/agents reload');
    await run('/agents config alpha');
    expect(calls).toContain('openAgentConfigDialog("alpha")');
    const { completeName } = await import('./agents.js');
    expect(await completeName(testContext({ config }), 'be')).toEqual(['beta']);
    expect(await completeName(testContext(), 'b')).toEqual([]);
  });

  it('says that agents are disabled', async () => {
    const { run } = await setup();
    const settings = { experimental: { enableAgents: false } };
    expect(await run('/agents', { settings })).toBe('Agents are disabled (experimental.enableAgents).');
  });
});
