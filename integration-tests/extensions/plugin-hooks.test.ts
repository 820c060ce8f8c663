/** Hooks of a plugin of Claude Code, imported: its scripts run unchanged, and what they refuse is refused here. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTool, type TestRig, testRig, text, userText } from '../test-utils.js';

const READ = `#!/usr/bin/env node
let input = ''; for await (const chunk of process.stdin) input += chunk; input = JSON.parse(input);`;
const HOOK = (command: string, more: object = {}) => ({ hooks: [{ type: 'command', command, ...more }] });
const ROOT = '${CLAUDE_PLUGIN_ROOT}';

/** Like public guards: they ask for the names of Claude Code, and let everything else pass. */
const PLUGIN: Readonly<Record<string, string | object>> = {
  '.claude-plugin/plugin.json': {
    name: 'guards',
    version: '1.0.0',
    userConfig: { word: { type: 'string', title: 'Word', description: 'W', default: 'eval(' } },
  },
  'hooks/hooks.json': {
    description: 'Guards',
    hooks: {
      SessionStart: [HOOK('echo "You are in learning mode."', { timeout: 20 })],
      UserPromptSubmit: [HOOK('echo "Rule: be brief."')],
      PreToolUse: [
        { matcher: 'Edit|Write|MultiEdit', ...HOOK(`${ROOT}/scripts/my guard.mjs`, { args: [] }) },
        { matcher: 'Bash', ...HOOK(`node "${ROOT}/scripts/bash.mjs"`) },
      ],
      PostToolUse: [{ matcher: 'Write|Bash', ...HOOK(`node "${ROOT}/scripts/after.mjs"`) }],
      Stop: [HOOK(`node "${ROOT}/scripts/stop.mjs"`)],
    },
  },
  'scripts/my guard.mjs': `${READ}
    if (!['Edit', 'Write', 'MultiEdit'].includes(input.tool_name) || input.hook_event_name !== 'PreToolUse') process.exit(0);
    if (!input.tool_input.file_path.startsWith('/')) process.exit(0);
    if (input.tool_input.content.includes(process.env.CLAUDE_PLUGIN_OPTION_WORD)) {
      console.error('Never in ' + input.tool_input.file_path); process.exit(2); }`,
  'scripts/bash.mjs': `${READ}
    const { readFileSync } = await import('node:fs');
    const banned = readFileSync(process.env.CLAUDE_PLUGIN_ROOT + '/banned.txt', 'utf8').trim();
    const answer = (more) => console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...more } }));
    if (input.tool_name === 'Bash' && input.tool_input.command.includes(banned))
      answer({ permissionDecision: 'deny', permissionDecisionReason: 'BLOCKED by the guard' });
    else answer({ permissionDecision: 'allow', updatedInput: { ...input.tool_input, command: input.tool_input.command + ' # seen' } });`,
  'scripts/after.mjs': `${READ}
    if (input.tool_name === 'Write') {
      if (input.tool_response.filePath !== input.tool_input.file_path) process.exit(1);
      console.log(JSON.stringify({ decision: 'block', reason: 'The formatter changed the file.' }));
    } else { console.log('done: ' + input.tool_response.stdout); }`,
  'scripts/stop.mjs': `${READ}
    if (!input.stop_hook_active && input.last_assistant_message.includes('half'))
      console.log(JSON.stringify({ decision: 'block', reason: 'Finish the other half.' }));`,
  'banned.txt': 'rm -rf\n',
};

async function imported(): Promise<TestRig> {
  const rig = await testRig();
  for (const [path, content] of Object.entries(PLUGIN)) {
    const file = join(rig.workspace, 'guards', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    chmodSync(file, 0o755);
  }
  const run = await rig.cli('extensions', 'import', join(rig.workspace, 'guards'), '--consent');
  expect(run.exitCode, run.stderr).toBe(0);
  return rig;
}

describe('Hooks of an imported plugin', { timeout: 120_000 }, () => {
  it('refuse a write by the name that the tool has in Claude Code, with an absolute path and the value of the user', async () => {
    const rig = await imported();
    const { answer } = await runTool(rig, 'write_file', { file_path: 'a.js', content: 'eval(x)' });
    expect(answer.error).toContain(`Never in ${rig.path('a.js')}`);
    expect(existsSync(rig.path('a.js'))).toBe(false);
  });

  it('tell the model after a write, which keeps its result', async () => {
    const rig = await imported();
    const { answer } = await runTool(rig, 'write_file', { file_path: 'a.js', content: 'fine' });
    expect(readFileSync(rig.path('a.js'), 'utf8')).toBe('fine');
    expect(answer.error).toBeUndefined();
    expect(answer.output).toMatch(/a\.js[\s\S]*The formatter changed the file\./);
  });

  it('refuse a command, and change another one', async () => {
    const rig = await imported();
    const refused = await runTool(rig, 'run_shell_command', { command: 'rm -rf build' });
    expect(refused.answer.error).toContain('BLOCKED by the guard');
    const { answer, run } = await runTool(rig, 'run_shell_command', { command: 'echo fine' });
    expect(answer.output).toContain('fine');
    expect(answer.output).toContain('A hook changed arguments of this call before it ran: command.');
    // Claude Code does not show the plain text of such a hook.
    expect(run.stderr + run.stdout).not.toContain('done: ');
  });

  it('add their plain text to what the model reads, and make it go on', async () => {
    const rig = await imported();
    rig.model.replies([text('half done')], [text('all done')]);
    const run = await rig.cli('-p', 'hello');
    expect(run.exitCode, run.stderr).toBe(0);
    const first = JSON.stringify(rig.model.requests[0]?.body.contents);
    expect(first).toContain('You are in learning mode.');
    expect(first).toContain('Rule: be brief.');
    expect(userText(rig, 1)).toContain('Finish the other half.');
    expect(run.stdout).toContain('all done');
  });
});
