/** Hooks written for Claude Code: their scripts run unchanged, and their settings are taken over by one command. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runTool, testRig, text, userText } from '../test-utils.js';

const node = (script: string) => `node "$CLAUDE_PROJECT_DIR"/.claude/hooks/${script}`;

/** As in a project of Claude Code. */
const READ = `let input = ''; for await (const chunk of process.stdin) input += chunk; input = JSON.parse(input);`;
const SCRIPTS = {
  '.claude/hooks/deny.mjs': `${READ}
    if (input.tool_input.command.includes('rm -rf')) console.log(JSON.stringify({ hookSpecificOutput: {
      hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'Too dangerous.' } }));`,
  '.claude/hooks/update.mjs': `${READ}
    console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow',
      updatedInput: { content: input.tool_input.content + ' // checked' } } }));`,
  '.claude/hooks/exit2.mjs': `${READ} console.error('No ' + input.tool_name + ' today.'); process.exit(2);`,
  '.claude/hooks/where.mjs': `import { writeFileSync } from 'node:fs'; ${READ}
    writeFileSync(process.env.CLAUDE_PROJECT_DIR + '/seen.json', JSON.stringify({ ...input, env: process.env }));`,
};

const project = (hooks: object) =>
  testRig({ files: { ...SCRIPTS, '.claude/settings.json': JSON.stringify({ hooks }) } });

const hook = (event: string, script: string, matcher?: string) => ({
  [event]: [
    { ...(matcher && { matcher }), hooks: [{ type: 'command', command: node(script), timeout: 10 }] },
  ],
});

describe('Hooks of Claude Code, after gemini hooks migrate', { timeout: 60_000 }, () => {
  it('permissionDecision deny refuses the call with its reason', async () => {
    const rig = await project(hook('PreToolUse', 'deny.mjs', 'Bash'));
    expect((await rig.cli('hooks', 'migrate', '--from-claude')).exitCode).toBe(0);
    const { answer } = await runTool(rig, 'run_shell_command', { command: 'rm -rf build' });
    expect(answer.error).toContain('Too dangerous.');
    const { answer: harmless } = await runTool(rig, 'run_shell_command', { command: 'echo fine' });
    expect(harmless.output).toContain('fine');
  });

  it('updatedInput changes the arguments', async () => {
    const rig = await project(hook('PreToolUse', 'update.mjs', 'Edit|Write'));
    await rig.cli('hooks', 'migrate', '--from-claude');
    await runTool(rig, 'write_file', { file_path: 'a.js', content: 'let a;' });
    expect(readFileSync(rig.path('a.js'), 'utf8')).toBe('let a; // checked');
  });

  it('exit code 2 blocks with the text of stderr', async () => {
    const rig = await project(hook('PreToolUse', 'exit2.mjs', 'Write'));
    await rig.cli('hooks', 'migrate', '--from-claude');
    const { answer } = await runTool(rig, 'write_file', { file_path: 'a.js', content: '' });
    expect(answer.error).toContain('No write_file today.');
    expect(existsSync(rig.path('a.js'))).toBe(false);
  });

  it('CLAUDE_PROJECT_DIR is the project, also for a script that reads it itself', async () => {
    const rig = await project(hook('UserPromptSubmit', 'where.mjs'));
    await rig.cli('hooks', 'migrate', '--from-claude');
    rig.model.replies([text('ok')]);
    const run = await rig.cli('-p', 'hello');
    expect(run.exitCode, run.stderr).toBe(0);
    const seen = JSON.parse(readFileSync(rig.path('seen.json'), 'utf8'));
    expect(seen).toMatchObject({ prompt: 'hello', cwd: rig.workspace, hook_event_name: 'BeforeAgent' });
    expect(seen.env).toMatchObject({ CLAUDE_PROJECT_DIR: rig.workspace, GEMINI_PROJECT_DIR: rig.workspace });
    expect(userText(rig)).toContain('hello');
  });
});
