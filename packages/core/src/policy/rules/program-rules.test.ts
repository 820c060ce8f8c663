import { describe, expect, it } from 'vitest';
import { ApprovalMode, PolicyDecision } from '../../protocol/confirmation.js';
import { compileProgramRules } from './program-rules.js';

describe('rules of a program', () => {
  const warnings: string[] = [];
  const place = {
    tier: 'user' as const,
    source: 'the program',
    warn: (line: string) => void warnings.push(line),
  };

  it('are compiled like those of files, in the tier they are given', () => {
    const [commands, all] = compileProgramRules(
      [
        { commandPrefix: 'git log', decision: 'allow', modes: ['auto_edit'] },
        { decision: 'ask_user', priority: 7 },
      ],
      place,
    );
    expect(commands).toMatchObject({
      toolNames: ['run_shell_command'],
      commandPrefixes: ['git log'],
      decision: PolicyDecision.ALLOW,
      modes: [ApprovalMode.AUTO_EDIT],
      priority: 4.5,
      source: 'the program',
    });
    expect(all).toMatchObject({ toolNames: ['*'], decision: PolicyDecision.ASK_USER, priority: 4.007 });
  });

  it('are refused when they are wrong', () => {
    const rule = { toolName: 'x', decision: 'maybe' as 'allow' };
    expect(() => compileProgramRules([rule], place)).toThrow(/decision/);
    expect(() => compileProgramRules([{ toolName: 'x', argsPattern: '(', decision: 'deny' }], place)).toThrow(
      /argsPattern/,
    );
  });

  it('warn about a tool that does not exist', () => {
    compileProgramRules([{ toolName: 'write_fil', decision: 'deny' }], place);
    expect(warnings).toEqual([expect.stringContaining('write_file')]);
  });
});
