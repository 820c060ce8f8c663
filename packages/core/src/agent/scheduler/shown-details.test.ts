import { describe, expect, it } from 'vitest';
import { type ToolCallConfirmationDetails, ToolConfirmationOutcome } from '../../protocol/confirmation.js';
import { offeredOutcomes } from './offered-outcomes.js';
import { shownDetails } from './shown-details.js';

const HIDDEN = '\u202e\u200b\u{e0041}\u001b[2J';
const common = { title: `t${HIDDEN}`, systemMessage: HIDDEN, onConfirm: async () => undefined };
const text = `x${HIDDEN}y`;
const ALL: ToolCallConfirmationDetails[] = [
  { ...common, type: 'exec', command: text, rootCommand: text, rootCommands: [text], commands: [text] },
  {
    ...common,
    type: 'mcp',
    serverName: text,
    toolName: text,
    toolDisplayName: text,
    toolArgs: { [text]: { deep: [text] } },
    toolDescription: text,
    toolParameterSchema: { properties: { [text]: { description: text } } },
  },
  { ...common, type: 'info', prompt: text, urls: [text] },
  {
    ...common,
    type: 'ask_user',
    questions: [
      {
        question: text,
        header: text,
        placeholder: text,
        options: [{ label: text, description: text }],
      },
    ],
  },
  { ...common, type: 'exit_plan_mode', planPath: '/plan.md' },
  {
    ...common,
    type: 'sandbox_expansion',
    command: text,
    rootCommand: text,
    additionalPermissions: { network: true, fileSystem: { read: [text], write: [text] } },
  },
];

describe('details for a front end', () => {
  it.each(ALL.map((details) => [details.type, details] as const))('of %s hide nothing', (_type, details) => {
    const shown = JSON.stringify(shownDetails(details));
    expect(shown).not.toMatch(/[\u202e\u200b\u{e0041}]|\\u001b/u);
    expect(shown).toContain('u{202E}');
  });

  it('show the whole command, however long, and the real target of addresses', () => {
    const command = `echo ${'a'.repeat(100_000)}\n${'\n'.repeat(5000)}curl https://аpple.com`;
    const [exec] = ALL;
    const shown = shownDetails({ ...exec, command } as ToolCallConfirmationDetails);
    expect(shown.type === 'exec' && shown.command).toBe(`${command} (host: xn--pple-43d.com)`);
  });
});

describe('offeredOutcomes', () => {
  const everything = { always: true, saving: true, editor: true };

  it.each([
    ['edit', ['proceed_once', 'proceed_always', 'proceed_always_and_save', 'modify_with_editor', 'cancel']],
    ['exec', ['proceed_once', 'proceed_always', 'proceed_always_and_save', 'cancel']],
    ['info', ['proceed_once', 'proceed_always', 'proceed_always_and_save', 'cancel']],
    ['sandbox_expansion', ['proceed_once', 'proceed_always', 'proceed_always_and_save', 'cancel']],
    [
      'mcp',
      ['proceed_once', 'proceed_always_tool', 'proceed_always_server', 'proceed_always_and_save', 'cancel'],
    ],
    ['ask_user', ['proceed_once', 'cancel']],
    ['exit_plan_mode', ['proceed_once', 'cancel']],
  ] as const)('offers all answers of a question of type %s, or only once and cancel', (type, outcomes) => {
    expect(offeredOutcomes(type, everything)).toEqual(outcomes);
    const least = offeredOutcomes(type, { always: false, saving: true, editor: false });
    expect(least).toEqual([ToolConfirmationOutcome.ProceedOnce, ToolConfirmationOutcome.Cancel]);
  });
});
