import { type ConfirmationView, ToolConfirmationOutcome } from '@gemini-cli/core';
import { describe, expect, it } from 'vitest';
import { choiceOptions, outcomeOf, permissionOptions } from './permission-options.js';

const ALL = Object.values(ToolConfirmationOutcome);
const BASE = { title: 't', offeredOutcomes: ALL };
const EDIT = { fileName: 'a', filePath: '/a', fileDiff: '', originalContent: '', newContent: 'x' };
const EXEC = { command: 'ls', rootCommand: 'ls', rootCommands: ['ls'] };
const MCP = { serverName: 's', toolName: 't', toolDisplayName: 't' };

const QUESTIONS: Record<string, ConfirmationView> = {
  edit: { ...BASE, type: 'edit', ...EDIT },
  exec: { ...BASE, type: 'exec', ...EXEC },
  info: { ...BASE, type: 'info', prompt: 'p' },
  mcp: { ...BASE, type: 'mcp', ...MCP },
  ask_user: { ...BASE, type: 'ask_user', questions: [] },
  exit_plan_mode: { ...BASE, type: 'exit_plan_mode', planPath: '/p' },
  sandbox_expansion: {
    ...BASE,
    type: 'sandbox_expansion',
    command: 'c',
    rootCommand: 'c',
    additionalPermissions: {},
  },
};

const rows = (details: ConfirmationView) =>
  permissionOptions(details).map(({ optionId, kind }) => `${optionId}: ${kind}`);

const CHANGES = [
  'proceed_always: allow_always',
  'proceed_always_and_save: allow_always',
  'proceed_once: allow_once',
  'cancel: reject_once',
];
const ONCE = ['proceed_once: allow_once', 'cancel: reject_once'];

describe('permissionOptions', () => {
  it.each([
    ['edit', CHANGES],
    ['exec', CHANGES],
    ['info', CHANGES],
    [
      'mcp',
      ['proceed_always_server: allow_always', 'proceed_always_tool: allow_always', ...CHANGES.slice(1)],
    ],
    ['ask_user', ONCE],
    ['exit_plan_mode', ONCE],
    ['sandbox_expansion', ONCE],
  ])('offers the row of %s', (type, expected) => {
    expect(rows(QUESTIONS[type] as ConfirmationView)).toEqual(expected);
  });

  it.each(Object.keys(QUESTIONS))('leaves out of %s what the engine does not offer', (type) => {
    const offeredOutcomes = [ToolConfirmationOutcome.ProceedOnce, ToolConfirmationOutcome.Cancel];
    expect(rows({ ...(QUESTIONS[type] as ConfirmationView), offeredOutcomes })).toEqual(ONCE);
  });

  it('names what an "always" covers', () => {
    const exec = { ...(QUESTIONS['exec'] as ConfirmationView), always: { commandPrefix: 'git status' } };
    expect(permissionOptions(exec).map(({ name }) => name)).toEqual([
      'Allow "git status …" for this session',
      'Allow "git status …" in this project from now on',
      'Allow',
      'Reject',
    ]);
  });

  it('takes an option that was not offered for a refusal', () => {
    const options = permissionOptions(QUESTIONS['ask_user'] as ConfirmationView);
    expect(outcomeOf('proceed_always', options)).toBe('cancel');
    expect(outcomeOf('anything', options)).toBe('cancel');
    expect(outcomeOf('proceed_once', options)).toBe('proceed_once');
  });
});

describe('choiceOptions', () => {
  it('has an option for each choice, and for none', () => {
    const question = { question: 'q', header: 'h', options: [{ label: 'Red', description: '' }] };
    expect(choiceOptions(question)?.map(({ optionId, name }) => [optionId, name])).toEqual([
      ['choice-0', 'Red'],
      ['cancel', 'No answer'],
    ]);
    expect(choiceOptions({ question: 'q', header: 'h', type: 'yesno' })).toHaveLength(3);
  });

  it('cannot express free text and several choices', () => {
    const options = [{ label: 'Red', description: '' }];
    expect(choiceOptions({ question: 'q', header: 'h', type: 'text' })).toBeUndefined();
    expect(choiceOptions({ question: 'q', header: 'h', options, multiSelect: true })).toBeUndefined();
  });
});
