import { describe, expect, test } from 'vitest';
import { geminiToolName } from './claude-tool-names.js';

describe('names of Claude Code tools', () => {
  test.each([
    ['Bash', 'run_shell_command'],
    ['NotebookRead', 'read_file'],
    ['MultiEdit', 'replace'],
    ['Agent', 'invoke_agent'],
    ['mcp__github__create_issue', 'mcp_github_create_issue'],
    ['mcp__my_server__read__all', 'mcp_my_server_read__all'],
    ['mcp__github', 'mcp_github_*'],
    ['mcp__github__*', 'mcp_github_*'],
    ['*', '*'],
  ])('%s is %s here', (claude, here) => {
    expect(geminiToolName(claude)).toBe(here);
  });

  test.each(['NotebookEdit', 'Unknown', 'bash', 'constructor', '__proto__', 'mcp__', ''])(
    '"%s" has no equivalent',
    (name) => {
      expect(geminiToolName(name)).toBeUndefined();
    },
  );
});
