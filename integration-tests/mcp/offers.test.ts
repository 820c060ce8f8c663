/** What servers offer beside tools, in headless runs of the whole program: prompts, resources, roots, sampling. */
import { describe, expect, it } from 'vitest';
import { callTool, declaredTools, runTool, text, toolResponses, userText } from '../test-utils.js';
import { everythingRig } from './everything.js';

const DOCUMENT = 'demo://resource/static/document/structure.md';

describe('Prompts of MCP servers', { timeout: 60_000 }, () => {
  it('are commands whose text is sent as it is', async () => {
    const rig = await everythingRig();
    rig.model.replies([text('Mild.')]);
    const { stdout, exitCode } = await rig.cli('-p', '/args-prompt --state="New York" "Big Apple"');
    expect([stdout, exitCode]).toEqual(['Mild.\n', 0]);
    expect(userText(rig)).toContain("What's weather in Big Apple, New York?");
  });

  it('bring embedded resources as untrusted text', async () => {
    const rig = await everythingRig();
    rig.model.replies([text('Seen.')]);
    await rig.cli('-p', '/resource-prompt Text 1');
    expect(userText(rig)).toMatch(
      /the following resource:[\s\S]*<untrusted_context>\n[\s\S]*plaintext resource/,
    );
  });

  it('say which arguments are missing, and list them with help', async () => {
    const rig = await everythingRig();
    const missing = await rig.cli('-p', '/args-prompt');
    expect(missing.exitCode).toBe(42);
    expect(missing.stderr).toContain('missing: --city="…"');
    const { stdout } = await rig.cli('-p', '/args-prompt help');
    expect(stdout).toContain('--city="…"  Name of the city (required)');
  });
});

describe('Resources of MCP servers', { timeout: 60_000 }, () => {
  it('are attached by @server:address and by the bare address', async () => {
    const rig = await everythingRig();
    rig.model.replies([text('Read.')]);
    await rig.cli('-p', `sum up @everything:${DOCUMENT} and @${DOCUMENT.replace('structure', 'startup')}`);
    const sent = userText(rig);
    expect(sent).toContain(`Content from @everything:${DOCUMENT}:`);
    expect(sent).toMatch(/<untrusted_context>[\s\S]*# Everything Server/);
    expect(sent).toContain('document/startup.md:\n');
  });

  it('that do not exist stay as they were typed, with a notice', async () => {
    const rig = await everythingRig();
    rig.model.replies([text('No.')]);
    const { stderr } = await rig.cli('-p', 'read @everything:demo://nothing/here');
    expect(stderr).toContain('@everything:demo://nothing/here was sent as text');
    expect(userText(rig)).toContain('read @everything:demo://nothing/here');
  });

  it('are listed and read by two tools, which exist only while a server offers some', async () => {
    const rig = await everythingRig();
    const { answer } = await runTool(rig, 'list_mcp_resources', { server_name: 'everything' }, 'default');
    expect(answer.output).toContain(`- everything:${DOCUMENT} | structure.md | Static document file`);
    expect(declaredTools(rig)).toEqual(expect.arrayContaining(['list_mcp_resources', 'read_mcp_resource']));
    const read = await runTool(rig, 'read_mcp_resource', { uri: DOCUMENT }, 'default');
    expect(read.answer.output).toMatch(/^<untrusted_context>\n# Everything Server/);
    const image = await runTool(rig, 'read_mcp_resource', { uri: 'everything:demo://nothing' }, 'default');
    expect(image.answer.error).toContain('MCP server "everything"');
    rig.write('.gemini/settings.json', '{}');
    rig.model.replies([text('Hi.')]);
    await rig.cli('-p', 'hello');
    expect(declaredTools(rig, rig.model.requests.length - 1)).not.toContain('list_mcp_resources');
  });
});

it('@server tells the model which tools the user means', { timeout: 60_000 }, async () => {
  const rig = await everythingRig();
  rig.model.replies([text('Ok.')]);
  await rig.cli('-p', '@everything add 1 and 2');
  expect(userText(rig)).toMatch(/@everything add 1 and 2[\s\S]*<system_note>[\s\S]*mcp_everything_get-sum/);
});

it('servers are told the workspace directories as roots', { timeout: 60_000 }, async () => {
  const rig = await everythingRig();
  const { answer } = await runTool(rig, 'mcp_everything_get-roots-list', {});
  expect(answer.output).toContain(`file://${rig.path('.')}`);
});

describe('Sampling in a headless run', { timeout: 60_000 }, () => {
  const TOOL = 'mcp_everything_trigger-sampling-request';
  const rule = (mcpName: string) =>
    `[[rule]]\nmcpName = "${mcpName}"\ntoolName = "sampling/createMessage"\ndecision = "allow"\npriority = 100\n`;

  it('is not offered without a rule, not even in yolo mode', async () => {
    const rig = await everythingRig();
    rig.model.replies([text('Hi.')]);
    await rig.cli('-p', 'hello', '--approval-mode', 'yolo');
    expect(declaredTools(rig)).toContain('mcp_everything_echo');
    expect(declaredTools(rig)).not.toContain(TOOL);
  });

  it('asks the model where a rule names it, and is counted', async () => {
    const rig = await everythingRig({}, { 'rules/sampling.toml': rule('everything') });
    rig.model.replies(
      [callTool(TOOL, { prompt: 'What is MCP?', maxTokens: 40 })],
      [text('A protocol.')],
      [text('Done.')],
    );
    const run = await rig.cli(
      '-p',
      'go',
      '--approval-mode',
      'yolo',
      '--policy',
      rig.path('rules'),
      '-o',
      'json',
    );
    expect(toolResponses(rig)[0]?.response.output).toContain('A protocol.');
    const { stats } = JSON.parse(run.stdout);
    expect(JSON.stringify(stats)).toContain('mcp_sampling');
  });
});
