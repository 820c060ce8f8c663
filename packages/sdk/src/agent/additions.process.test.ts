import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { extension, fakeModel, GeminiCliAgent, hook, skillDir, subagent, tool, z } from '../index.js';
import { call, eventsOf, lab, told } from '../testing/agent-lab.test-helper.js';

const SKILL = '---\nname: greeter\ndescription: Greets people.\n---\n\nSay hello in Latin.\n';
const SKILL_TOOL = `export default {
  name: 'salute', description: 'salutes', kind: 'other', sendErrorsToModel: false, mayAsk: false,
  inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  confirmation: () => false, run: ({ name }) => 'Salve, ' + name,
};`;

describe('instructions', () => {
  it('stand where the text of GEMINI.md stands, before it', async () => {
    const { agent, model, write } = lab(['done']);
    write('GEMINI.md', 'Rules of the folder.');
    const one = extension({ name: 'one', instructions: 'Of the extension.' });
    await agent({ instructions: 'Talk like a pirate.', extensions: [one] }).send('hi');
    const system = model.requests[0]?.systemInstruction ?? '';
    expect(system).toMatch(/Talk like a pirate\.\n\nOf the extension\./);
    expect(JSON.stringify(model.requests[0])).toContain('Rules of the folder.');
  });

  it('are asked before every model request when they are a function', async () => {
    const step = tool({ name: 'step', description: 's', inputSchema: z.object({}) }, () => 'ok');
    const { agent, model } = lab([call('step'), 'done']);
    let count = 0;
    await agent({
      tools: [step],
      instructions: (ctx) => `Request ${++count} of ${ctx.sessionId}, ${ctx.transcript.length} messages.`,
    }).send('hi');
    expect(
      model.requests.map(({ systemInstruction }) => /Request \d of \S+,/.exec(systemInstruction)?.[0]),
    ).toEqual([expect.stringMatching(/^Request 1 of /), expect.stringMatching(/^Request 2 of /)]);
  });

  it('reject the prompt when the function fails', async () => {
    const { agent } = lab(['unused']);
    const instructions = () => {
      throw new Error('no clock');
    };
    await expect(agent({ instructions }).send('hi')).rejects.toThrow('no clock');
  });
});

describe('skills', () => {
  it('bring their tools when they are activated, and each asks the first time', async () => {
    const { agent, model, write } = lab([
      call('activate_skill', { name: 'greeter' }),
      call('salute', { name: 'Ada' }),
      'done',
    ]);
    write('skills/greeter/SKILL.md', SKILL);
    write('skills/greeter/tools/salute.mjs', SKILL_TOOL);
    const asked: string[] = [];
    await agent({
      skills: [skillDir('./skills')],
      onApproval: ({ toolName }) => {
        asked.push(toolName);
        return 'allow';
      },
    }).send('go');
    expect(model.requests[0]?.tools.map(({ name }) => name)).not.toContain('salute');
    expect(model.requests[1]?.tools.map(({ name }) => name)).toContain('salute');
    expect(told(model)[1]).toBe('Salve, Ada');
    expect(asked).toContain('salute');
  });

  it('warn about a folder that is missing or has none', async () => {
    const { agent, write } = lab(['done']);
    write('empty/readme.txt', '');
    const events = await eventsOf(
      agent({ skills: [skillDir('./no'), skillDir('./empty')] }).sendStream('hi'),
    );
    const warnings = events.filter(({ type }) => type === 'warning');
    expect(JSON.stringify(warnings)).toContain('there is no such folder');
    expect(JSON.stringify(warnings)).toContain('has a SKILL.md');
  });
});

describe('sub-agents', () => {
  it('work with instructions that know the task', async () => {
    const { agent, model } = lab([
      call('invoke_agent', { agent_name: 'helper', prompt: 'count to 3' }),
      {
        calls: [{ name: 'complete_task', args: { result: '1 2 3' } }],
        when: ({ role }) => role === 'subagent',
      },
      'done',
    ]);
    const helper = subagent({
      name: 'helper',
      description: 'counts',
      instructions: (prompt, ctx) => `You do: ${prompt}, in ${ctx.cwd}`,
      tools: ['read_file'],
    });
    const events = await eventsOf(agent({ subagents: [helper] }).sendStream('go'));
    expect(model.requests[1]?.systemInstruction).toContain('You do: count to 3, in ');
    expect(told(model)[0]).toContain('1 2 3');
    expect(events.some(({ type }) => type === 'tool_call_response')).toBe(true);
  });

  it('may be whole agents, in sessions of their own', async () => {
    const inner = fakeModel([call('dig', {}), 'found gold']);
    const dig = tool({ name: 'dig', description: 'digs', inputSchema: z.object({}) }, () => 'gold');
    const { agent, model, folder, home } = lab([
      call('invoke_agent', { agent_name: 'miner', prompt: 'dig' }),
      'done',
    ]);
    const env = { HOME: home, PATH: process.env['PATH'], GEMINI_CLI_HOME: home };
    const miner = new GeminiCliAgent({ cwd: folder, trust: true, env, tools: [dig], fakeResponses: inner });
    const outer = agent({ subagents: [subagent({ name: 'miner', description: 'digs', agent: miner })] });
    const events = await eventsOf(outer.sendStream('go'));
    expect(told(model)[0]).toContain('found gold');
    expect(events.filter(({ type }) => type === 'subagent_activity').length).toBeGreaterThan(1);
    expect((await outer.listSessions()).length).toBe(1);
    await outer.dispose();
    const files = readdirSync(join(home, '.gemini/tmp'), { recursive: true, encoding: 'utf8' });
    const transcripts = files.filter((name) => name.endsWith('.jsonl'));
    expect(transcripts.length).toBe(2);
    const texts = transcripts.map((name) => readFileSync(join(home, '.gemini/tmp', name), 'utf8'));
    expect(texts.some((text) => text.includes('parentSessionId') && text.includes('found gold'))).toBe(true);
  });
});

describe('extensions', () => {
  it('bring tools, hooks and agents; the later of two names counts, with a warning', async () => {
    const make = (word: string) =>
      tool({ name: 'say', description: 's', inputSchema: z.object({}) }, () => word);
    const { agent, model } = lab([call('say'), 'done']);
    const seen: string[] = [];
    const one = extension({
      name: 'one',
      tools: [make('extension')],
      hooks: [hook({ event: 'AfterTool', name: 'h' }, ({ toolName }) => void seen.push(toolName))],
    });
    const events = await eventsOf(agent({ tools: [make('agent')], extensions: [one] }).sendStream('go'));
    expect(told(model)).toEqual(['extension']);
    expect(seen).toEqual(['say']);
    expect(JSON.stringify(events)).toContain('two tools');
  });
});

describe('tools', () => {
  it('replace a built-in one of their name, for sub-agents, too', async () => {
    const list = tool(
      { name: 'list_directory', description: 'mine', inputSchema: z.object({}) },
      () => 'my list',
    );
    const { agent, model } = lab([
      call('list_directory'),
      call('invoke_agent', { agent_name: 'helper', prompt: 'x' }),
      { calls: [{ name: 'list_directory' }], when: ({ role }) => role === 'subagent' },
      { calls: [{ name: 'complete_task', args: { result: 'ok' } }], when: ({ role }) => role === 'subagent' },
      'done',
    ]);
    const helper = subagent({ name: 'helper', description: 'h', instructions: 'help' });
    await agent({ tools: [list], subagents: [helper] }).send('go');
    expect(told(model)[0]).toBe('my list');
    expect(JSON.stringify(model.requests[3]?.contents)).toContain('my list');
  });
});

describe('settings', () => {
  it('are those of user and folder, none, or of the program', async () => {
    const { agent, write, model } = lab(['1', '2', '3']);
    write('.gemini/settings.json', JSON.stringify({ tools: { exclude: ['glob'] } }));
    await agent().send('hi');
    await agent({ settings: 'none' }).send('hi');
    await agent({ settings: { tools: { exclude: ['grep_search'] } } }).send('hi');
    const names = model.requests.map(({ tools }) => tools.map(({ name }) => name));
    expect(names.map((list) => [list.includes('glob'), list.includes('grep_search')])).toEqual([
      [false, true],
      [true, true],
      [false, false],
    ]);
  });
});

describe('several agents in one process', () => {
  it('do not touch each other', async () => {
    const one = lab([call('run_shell_command', { command: 'echo "$COLOR $PWD"' }), 'done']);
    const two = lab([call('run_shell_command', { command: 'echo "$COLOR $PWD"' }), 'done']);
    const with_ = ({ agent, home }: typeof one, COLOR: string) =>
      agent({
        approvalMode: 'yolo',
        env: { HOME: home, GEMINI_CLI_HOME: home, PATH: process.env['PATH'], COLOR },
      }).send('go');
    await Promise.all([with_(one, 'red'), with_(two, 'blue')]);
    expect(told(one.model)[0]).toContain(`red ${one.folder}`);
    expect(told(two.model)[0]).toContain(`blue ${two.folder}`);
  });
});
