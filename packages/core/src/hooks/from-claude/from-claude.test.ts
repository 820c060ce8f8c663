import { describe, expect, it } from 'vitest';
import { hooksFromClaude } from './convert.js';
import { toolMatcher } from './matcher.js';
import { mergeHooks } from './merge.js';

const hook = (command = 'check.sh', more: object = {}) => ({ type: 'command', command, ...more });
const one = (event: string, definition: object) => hooksFromClaude({ [event]: [definition] });

describe('hooks of Claude Code', () => {
  it.each([
    ['PreToolUse', 'BeforeTool'],
    ['PostToolUse', 'AfterTool'],
    ['UserPromptSubmit', 'BeforeAgent'],
    ['Stop', 'AfterAgent'],
    ['SubagentStop', 'AfterAgent'],
    ['SubAgentStop', 'AfterAgent'],
    ['SessionStart', 'SessionStart'],
    ['SessionEnd', 'SessionEnd'],
    ['Notification', 'Notification'],
    ['PreCompact', 'PreCompress'],
  ])('%s becomes %s', (claude, ours) => {
    expect(one(claude, { hooks: [hook()] })).toEqual({
      hooks: { [ours]: [{ hooks: [hook()] }] },
      warnings: [],
    });
  });

  it.each([
    ['Bash', 'run_shell_command'],
    ['Edit|Write', 'replace|write_file'],
    ['Edit|MultiEdit|Write', 'replace|write_file'],
    ['^(Read|Grep)$', '^(read_file|grep_search)$'],
    ['MyBash|BashX|Bash-like', 'MyBash|BashX|Bash-like'],
    ['Edit.*', 'replace.*'],
    ['mcp__memory__.*', 'mcp_memory_.*'],
    ['mcp__.*__write.*', 'mcp_.*_write.*'],
    ['mcp__github', 'mcp_github_.*'],
    ['mcp__a__b|Bash', 'mcp_a_b|run_shell_command'],
    ['^mcp__a__b$', '^mcp_a_b$'],
    ['^mcp__a__', '^mcp_a_.*'],
  ])('the tool names of the matcher %s become those of %s', (claude, ours) => {
    expect(toolMatcher(claude)).toEqual({ matchers: [ours], lost: [] });
  });

  it('warns about tools that do not exist here and keeps the rest of the matcher', () => {
    const { hooks, warnings } = one('PreToolUse', { matcher: 'Edit|NotebookEdit', hooks: [hook()] });
    expect(hooks['BeforeTool']).toEqual([{ matcher: 'replace|NotebookEdit', hooks: [hook()] }]);
    expect(warnings).toEqual([
      'PreToolUse: nothing here is called NotebookEdit (matcher "Edit|NotebookEdit").',
    ]);
  });

  it('splits a list of sources, and leaves out those that do not happen here', () => {
    const { hooks, warnings } = one('SessionStart', { matcher: 'startup|resume|compact', hooks: [hook()] });
    expect(hooks['SessionStart']).toEqual([
      { matcher: 'startup', hooks: [hook()] },
      { matcher: 'resume', hooks: [hook()] },
    ]);
    expect(warnings).toHaveLength(1);
    expect(one('SessionStart', { matcher: 'compact', hooks: [hook()] })).toEqual({
      hooks: {},
      warnings: ['SessionStart: matcher "compact" has no equivalent; skipped.'],
    });
  });

  it('keeps a hook of permission requests, whose matcher means nothing here', () => {
    const { hooks } = one('Notification', { matcher: 'permission_prompt', hooks: [hook()] });
    expect(hooks).toEqual({ Notification: [{ hooks: [hook()] }] });
    expect(one('Notification', { matcher: 'idle_prompt', hooks: [hook()] }).hooks).toEqual({});
  });

  it('takes seconds, and milliseconds where seconds would be absurd', () => {
    const timeoutOf = (timeout: unknown) =>
      one('Stop', { hooks: [hook('x', { timeout })] }).hooks['AfterAgent']?.[0]?.hooks[0]?.timeout;
    expect([5, 0.5, 60_000, -1, '9', Number.NaN].map(timeoutOf)).toEqual([
      5000,
      500,
      60_000,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('names the project folder by our variable', () => {
    const commands = [
      '"$CLAUDE_PROJECT_DIR"/.claude/a.sh',
      `\${CLAUDE_PROJECT_DIR}/b`,
      '$CLAUDE_PROJECT_DIRS',
    ];
    const { hooks } = one('Stop', { hooks: commands.map((command) => hook(command)) });
    expect(hooks['AfterAgent']?.[0]?.hooks.map(({ command }) => command)).toEqual([
      '"$GEMINI_PROJECT_DIR"/.claude/a.sh',
      `\${GEMINI_PROJECT_DIR}/b`,
      '$CLAUDE_PROJECT_DIRS',
    ]);
  });

  it('skips what cannot run here and says so', () => {
    const { hooks, warnings } = hooksFromClaude({
      PermissionRequest: [{ hooks: [hook()] }],
      Stop: [{ hooks: [{ type: 'prompt', prompt: 'x' }, { type: 'command' }, null] }, 'text', {}],
      PreToolUse: { hooks: [hook()] },
    });
    expect(hooks).toEqual({});
    expect(warnings).toHaveLength(7);
    expect(warnings[0]).toBe('PermissionRequest: there is no such event here; skipped.');
  });

  it.each([undefined, null, [], 'text', 5])('finds no hooks in %j', (value) => {
    expect(hooksFromClaude(value)).toEqual({ hooks: {}, warnings: [] });
  });

  it('does not take names of object members for events', () => {
    expect(hooksFromClaude(JSON.parse('{"__proto__": [], "constructor": []}')).warnings).toHaveLength(2);
  });
});

describe('merging into existing hooks', () => {
  const existing = { BeforeTool: [{ matcher: 'glob', hooks: [hook('a')] }] };

  it('appends to existing definitions and skips hooks that are there', () => {
    const added = { matcher: 'replace', hooks: [hook('a'), hook('b')] } as never;
    expect(mergeHooks(existing, { BeforeTool: [added] })).toEqual({
      changed: { BeforeTool: [existing.BeforeTool[0], { matcher: 'replace', hooks: [hook('b')] }] },
      added: 1,
      duplicates: ['BeforeTool: a'],
    });
  });

  it('keeps one command for two matchers, and drops a true repetition', () => {
    const definitions = ['glob', 'replace', 'glob'].map((matcher) => ({ matcher, hooks: [hook('c')] }));
    const { changed, added } = mergeHooks({}, { BeforeTool: definitions as never });
    expect(changed['BeforeTool']).toEqual(definitions.slice(0, 2));
    expect(added).toBe(2);
  });

  it('changes nothing the second time', () => {
    const { hooks } = one('PreToolUse', { matcher: 'Bash', hooks: [hook('c')] });
    const first = mergeHooks(existing, hooks);
    expect(mergeHooks(first.changed, hooks)).toMatchObject({ changed: {}, added: 0 });
  });
});
