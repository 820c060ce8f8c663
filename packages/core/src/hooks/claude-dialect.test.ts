import { describe, expect, it } from 'vitest';
import { claudeInput, claudeOutput, isForClaude } from './claude-dialect.js';
import type { HookInput } from './types.js';

const COMMON = { session_id: 's', transcript_path: '', cwd: '/w', hook_event_name: 'X', timestamp: 't' };
const call = (tool_name: string, tool_input: object, more: object = {}): HookInput =>
  ({ ...COMMON, tool_name, tool_input, ...more }) as HookInput;

describe('the input of a hook that was written for Claude Code', () => {
  it.each([
    [
      'run_shell_command',
      { command: 'ls', is_background: true },
      'Bash',
      { command: 'ls', run_in_background: true },
    ],
    ['write_file', { file_path: 'a/b', content: 'c' }, 'Write', { file_path: '/w/a/b', content: 'c' }],
    ['replace', { file_path: '/x', old_string: 'a' }, 'Edit', { file_path: '/x', old_string: 'a' }],
    ['read_file', { file_path: 'a' }, 'Read', { file_path: '/w/a' }],
    ['grep_search', { pattern: 'p', dir_path: 'd' }, 'Grep', { pattern: 'p', path: '/w/d' }],
    ['list_directory', { dir_path: '.' }, 'LS', { path: '/w' }],
    ['invoke_agent', { agent_name: 'a', prompt: 'p' }, 'Agent', { subagent_type: 'a', prompt: 'p' }],
    ['google_web_search', { query: 'q' }, 'WebSearch', { query: 'q' }],
    ['recall_turn', { path: 'p' }, 'recall_turn', { path: 'p' }],
  ])('has the names that %s has there', (ours, args, tool_name, tool_input) => {
    expect(claudeInput('PreToolUse', call(ours, args))).toEqual({
      ...COMMON,
      hook_event_name: 'PreToolUse',
      tool_name,
      tool_input,
    });
  });

  it('names tools of servers as there', () => {
    const mcp_context = { server_name: 'my-db', tool_name: 'run_query' };
    expect(claudeInput('PreToolUse', call('mcp_my-db_run_query', {}, { mcp_context }))).toMatchObject({
      tool_name: 'mcp__my-db__run_query',
    });
  });

  it('has the result of a tool, and is not for a call that failed', () => {
    const tool_response = { llmContent: 'x\n', returnDisplay: 'x' };
    const ran = call('run_shell_command', { command: 'echo x' }, { tool_response });
    expect(claudeInput('PostToolUse', ran)['tool_response']).toMatchObject({
      stdout: 'x',
      interrupted: false,
    });
    const written = call('write_file', { file_path: 'a' }, { tool_response });
    expect(claudeInput('PostToolUse', written)['tool_response']).toMatchObject({
      filePath: '/w/a',
      success: true,
    });
    expect(isForClaude('PostToolUse', written)).toBe(true);
    const failed = call('write_file', {}, { tool_response: { ...tool_response, error: { message: 'no' } } });
    expect(isForClaude('PostToolUse', failed)).toBe(false);
    expect(isForClaude('PreToolUse', call('glob', {}))).toBe(true);
  });

  it('has what other events have there', () => {
    const input = (more: object) => ({ ...COMMON, ...more }) as HookInput;
    expect(claudeInput('Stop', input({ prompt_response: 'done', stop_hook_active: true }))).toMatchObject({
      hook_event_name: 'Stop',
      last_assistant_message: 'done',
      stop_hook_active: true,
    });
    expect(claudeInput('SessionEnd', input({ reason: 'exit' }))).toMatchObject({ reason: 'other' });
    expect(claudeInput('Notification', input({ notification_type: 'ToolPermission' }))).toMatchObject({
      notification_type: 'permission_prompt',
    });
  });
});

describe('the output of a hook that was written for Claude Code', () => {
  const input = call('run_shell_command', { command: 'ls', is_background: false });

  it('reaches the model as plain text where it does there, and is not shown elsewhere', () => {
    const shown = { decision: 'allow', systemMessage: 'hi' } as const;
    const context = { hookSpecificOutput: { additionalContext: 'hi' } };
    expect(claudeOutput('SessionStart', input, shown, 'hi')).toEqual(context);
    expect(claudeOutput('UserPromptSubmit', input, shown, 'hi')).toEqual(context);
    expect(claudeOutput('PostToolUse', input, shown, 'hi')).toEqual({});
    expect(claudeOutput('SessionStart', input, {}, '')).toEqual({});
  });

  it('keeps the result of a tool that it refuses afterwards, and tells the model', () => {
    const refused = {
      decision: 'block',
      reason: 'lint',
      hookSpecificOutput: { additionalContext: 'more' },
    } as const;
    expect(claudeOutput('PostToolUse', input, refused, undefined)).toEqual({
      hookSpecificOutput: { additionalContext: 'lint\nmore' },
    });
    expect(claudeOutput('PreToolUse', input, refused, undefined)).toEqual(refused);
  });

  it('changes only the arguments that differ, under our names', () => {
    const updatedInput = { command: 'ls -l', run_in_background: false };
    const output = claudeOutput('PreToolUse', input, { hookSpecificOutput: { updatedInput } }, undefined);
    expect(output.hookSpecificOutput).toEqual({ updatedInput: { command: 'ls -l' } });
    const path = call('write_file', { file_path: 'a', content: 'x' });
    const whole = { file_path: '/w/a', content: 'y' };
    expect(
      claudeOutput('PreToolUse', path, { hookSpecificOutput: { updatedInput: whole } }, undefined),
    ).toEqual({
      hookSpecificOutput: { updatedInput: { content: 'y' } },
    });
  });
});
