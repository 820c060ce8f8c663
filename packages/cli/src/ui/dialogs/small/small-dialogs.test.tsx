import { mkdirSync } from 'node:fs';
import type { AgentDefinition, TrustAnswer } from '@gemini-cli/core';
import { Text } from 'ink';
import { expect, it } from 'vitest';
import { key, typed } from '../../testing/keys.test-helper.js';
import { ConfirmActionDialog } from '../confirm-command/ConfirmAction.js';
import { ConfirmShellDialog } from '../confirm-command/ConfirmShell.js';
import { HelpDialog } from '../help/HelpDialog.js';
import { flawsOf, HOSTILE, openDialog } from '../open-dialog.test-helper.js';
import { AgentConfigDialog } from './AgentConfigDialog.js';
import { EditorDialog } from './EditorDialog.js';
import { PermissionsDialog } from './PermissionsDialog.js';
import { PrivacyDialog } from './PrivacyDialog.js';

it('an editor is chosen from the installed ones', async () => {
  const editors = [
    { name: 'vscode', isInstalled: false },
    { name: 'vim', isInstalled: true },
  ];
  const { press, lastFrame, services, until, closed } = await openDialog(EditorDialog, {
    props: { editors },
  });
  expect(lastFrame()).toContain('2. Vim');
  expect(lastFrame()).toContain('Not installed: VS Code');
  await press(key('tab'), key('2'));
  await until(() => closed.length > 0);
  expect(services.calls).toEqual(['changeSetting:workspace,general.preferredEditor,vim']);
});

it('the editors of this machine are found', async () => {
  const { shows } = await openDialog(EditorDialog, { height: 40 });
  await shows('VS Code');
  await shows('Neovim');
});

it('the privacy notice says what is sent and keeps the setting', async () => {
  const { press, lastFrame, services, until, closed } = await openDialog(PrivacyDialog);
  expect(lastFrame()).toContain('collects no usage statistics');
  await press(key('2'));
  await until(() => closed.length > 0);
  expect(services.calls).toEqual(['changeSetting:user,privacy.usageStatisticsEnabled,false']);
});

it('permissions of another folder are shown and changed; Esc only closes', async () => {
  const probe = await openDialog(PrivacyDialog);
  const directory = `${probe.services.cwd}/other`;
  mkdirSync(directory);
  const { press, shows, services, until, closed } = await openDialog(PermissionsDialog, {
    props: { directory },
  });
  await shows('Trust folder (other)');
  await press(key('3'));
  await until(() => closed.length > 0);
  expect(services.calls).toEqual([`setTrust:DO_NOT_TRUST,${directory}`]);
  const again = await openDialog(PermissionsDialog);
  await again.press(key('escape'));
  expect(again.services.calls).toEqual([]);
  expect(again.closed).toEqual([undefined]);
});

it.each<[TrustAnswer, string]>([
  [{ trusted: true, source: 'file' }, 'Now: trusted.'],
  [{ trusted: false, source: 'file' }, 'Now: not trusted.'],
  [{ trusted: false, source: 'none' }, 'Now: not trusted, because you have not decided yet.'],
  [{ trusted: true, source: 'flag' }, 'Now: trusted for this session (--skip-trust).'],
  [{ trusted: false, source: 'env' }, 'Now: not trusted for this session (GEMINI_CLI_TRUST_WORKSPACE).'],
  [{ trusted: true, source: 'disabled' }, 'Now: trusted, because folder trust is disabled in your settings.'],
])('permissions show what is set now: %o', async (answer, text) => {
  const { lastFrame } = await openDialog(PermissionsDialog, { services: { trustOf: () => answer } });
  expect(lastFrame()).toContain(text);
  const isRefused = answer.source === 'file' && !answer.trusted;
  expect(lastFrame()).toMatch(isRefused ? /● +3\. Don't trust/ : /● +1\. Trust folder/);
});

const reviewer: AgentDefinition = {
  kind: 'local',
  name: 'code-review',
  description: 'Reviews.',
  inputConfig: {},
  promptConfig: {},
  modelConfig: { model: 'inherit', settings: { temperature: 1, topP: 0.95 } },
  runConfig: { maxTimeMinutes: 10, maxTurns: 30 },
};

it("an agent's settings are changed in the chosen scope, under the spelling that the file has", async () => {
  const { press, shows, services, until } = await openDialog(AgentConfigDialog, {
    props: { name: 'code-review', displayName: 'Reviewer', definition: reviewer },
    files: { user: { agents: { overrides: { code_review: { runConfig: { maxTurns: 5 } } } } } },
  });
  await shows('Agent: Reviewer');
  await shows(/Enabled \.+ true/);
  await shows(/Model \.+ inherit/);
  await shows(/Max turns \.+ 5\*/);
  await press(key('enter'));
  await until(() => services.calls.length > 0);
  await press(key('tab'), key('tab'), key('right'), key('tab'));
  await press(key('down'), key('down'), key('enter'));
  await shows('> ');
  await press(key('backspace'), ...typed('0.3'), key('enter'));
  await until(() => services.calls.length > 1);
  expect(services.calls).toEqual([
    'changeSetting:user,agents.overrides.code_review.enabled,false',
    'changeSetting:workspace,agents.overrides.code_review.modelConfig.generateContentConfig.temperature,0.3',
  ]);
});

it('a remote agent has no model to set, and hostile names harm nothing', async () => {
  const definition = { ...reviewer, kind: 'remote', agentCardUrl: 'https://a.example' };
  const { lastFrame, press, closed } = await openDialog(AgentConfigDialog, {
    props: { name: 'far', displayName: HOSTILE, definition },
  });
  expect(lastFrame()).toContain('Enabled');
  expect(lastFrame()).not.toContain('Temperature');
  expect(flawsOf(lastFrame(), 80, 24)).toEqual([]);
  await press(key('escape'));
  expect(closed).toEqual([undefined]);
});

it('the dialog without an agent says how to choose one', async () => {
  const { lastFrame } = await openDialog(AgentConfigDialog);
  expect(lastFrame()).toContain('/agents config <name>');
});

it('only yes confirms an action', async () => {
  const first = await openDialog(ConfirmActionDialog, { props: { prompt: `Overwrite ${HOSTILE}?` } });
  expect(flawsOf(first.lastFrame(), 80, 24)).toEqual([]);
  await first.press(...typed('y'), key('escape'));
  expect(first.closed).toEqual([false]);
  const drawn = await openDialog(ConfirmActionDialog, {
    props: { prompt: <Text>Drawn by the command</Text> },
  });
  expect(drawn.lastFrame()).toContain('Drawn by the command');
  const second = await openDialog(ConfirmActionDialog, { props: { prompt: 'Overwrite?' } });
  await second.press(key('enter'));
  expect(second.closed).toEqual([true]);
});

it('every command of a custom command is listed before any runs', async () => {
  const commands = ['git diff', `rm ${HOSTILE}`];
  const { lastFrame, press, closed } = await openDialog(ConfirmShellDialog, { props: { commands } });
  expect(lastFrame()).toContain('Confirm Shell Expansion');
  expect(lastFrame()).toContain('1) git diff');
  expect(lastFrame()).toContain('\\u{202E}');
  expect(flawsOf(lastFrame(), 80, 24)).toEqual([]);
  await press(key('1'));
  expect(closed).toEqual(['once']);
});

it.each([
  ['2', 'session'],
  ['escape', 'no'],
])('%s for such commands answers %s', async (chord, answer) => {
  const { press, closed } = await openDialog(ConfirmShellDialog, { props: { commands: ['ls'] } });
  await press(key(chord));
  expect(closed).toEqual([answer]);
});

it.each([
  [40, 10],
  [80, 24],
])('help scrolls to its end in %i columns and %i rows', async (width, height) => {
  const help = {
    commands: [
      { name: 'chat', description: HOSTILE, subCommands: [{ name: 'save', description: 'x'.repeat(500) }] },
    ],
    keys: [{ keys: 'Ctrl+X', action: 'the last' }],
  };
  const { lastFrame, press } = await openDialog(HelpDialog, { width, height, props: { help } });
  expect(lastFrame()).toContain('Basics');
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
  for (let page = 0; page < 10; page++) await press(key('pagedown'));
  expect(lastFrame()).toContain('the last');
  expect(flawsOf(lastFrame(), width, height)).toEqual([]);
});
