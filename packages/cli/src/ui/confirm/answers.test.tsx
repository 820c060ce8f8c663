import { ToolConfirmationOutcome } from '@gemini-cli/core';
import { describe, expect, it, vi } from 'vitest';
import { key, pasted, typed } from '../testing/keys.test-helper.js';
import { ask, choicesIn, type Details, type Setup } from './ask.test-helper.js';
import {
  editDetails,
  execDetails,
  INFO_DETAILS,
  MCP_DETAILS,
  SANDBOX_DETAILS,
} from './details.test-helper.js';

/** The first frame loads much; a busy machine takes its time. */
vi.setConfig({ testTimeout: 60_000 });

describe('The list of choices', () => {
  it('offers four choices for an edit, in order', async () => {
    const { lastFrame } = await ask(editDetails());
    expect(choicesIn(lastFrame())).toEqual([
      '1. Allow once',
      '2. Allow for this session',
      '3. Allow for this file in all future sessions',
      '4. Modify with external editor',
      '5. No, suggest changes (esc)',
    ]);
    expect(lastFrame()).toContain('Action Required');
    expect(lastFrame()).toContain('Apply this change?');
    expect(lastFrame()).toContain('new line');
  });

  it('names what a command runs', async () => {
    const { lastFrame } = await ask(execDetails());
    expect(lastFrame()).toContain('Allow running git, rm?');
    expect(lastFrame()).toContain('git status && rm -r build');
    expect(choicesIn(lastFrame())[2]).toBe('3. Allow this command for all future sessions');
  });

  it('offers the whole server as the third choice for an MCP tool', async () => {
    const { lastFrame } = await ask(MCP_DETAILS);
    expect(choicesIn(lastFrame())).toEqual([
      '1. Allow once',
      '2. Allow tool for this session',
      '3. Allow all server tools for this session',
      '4. Allow tool for all future sessions',
      '5. No, suggest changes (esc)',
    ]);
    expect(lastFrame()).toContain('"city": "Paris"');
  });

  it('is below the permissions of a sandbox, and below an address', async () => {
    const sandbox = await ask(SANDBOX_DETAILS);
    for (const text of ['npm install', 'Network access', '/etc/npmrc', '/home/u/.npm'])
      expect(sandbox.lastFrame()).toContain(text);
    expect(choicesIn(sandbox.lastFrame())[2]).toBe('3. Allow for all future sessions');
    const info = await ask(INFO_DETAILS);
    expect(info.lastFrame()).toContain('Do you want to proceed?');
    expect(info.lastFrame()).toContain('https://example.com/a');
  });

  it('has only the choices that core offers', async () => {
    const { ProceedOnce, Cancel } = ToolConfirmationOutcome;
    const { lastFrame } = await ask(editDetails({ offeredOutcomes: [ProceedOnce, Cancel] }));
    expect(choicesIn(lastFrame())).toEqual(['1. Allow once', '2. No, suggest changes (esc)']);
  });

  it('starts at the choice that core suggests', async () => {
    const { press, answers } = await ask(
      editDetails({ suggestedOutcome: ToolConfirmationOutcome.ProceedAlwaysAndSave }),
    );
    await press(key('enter'));
    expect(answers).toEqual([['proceed_always_and_save', undefined]]);
  });
});

describe('The second page of "Allow for this session"', () => {
  const { ProceedOnce, ProceedAlways, Cancel } = ToolConfirmationOutcome;
  const edit = editDetails({
    offeredOutcomes: [ProceedOnce, ProceedAlways, Cancel],
    projectAnswers: [
      { covers: 'project', rule: { folder: '/project' } },
      { covers: 'call', rule: { path: '/project/a.txt' } },
    ],
  });

  it('opens with Right on that answer, and the first page keeps its numbers', async () => {
    const { lastFrame, press, answers } = await ask(edit);
    expect(choicesIn(lastFrame())).toEqual([
      '1. Allow once',
      '2. Allow for this session (Right: in this project)',
      '3. No, suggest changes (esc)',
    ]);
    await press(key('right'));
    expect(choicesIn(lastFrame())[0]).toBe('1. Allow once');
    await press(key('down'));
    await press(key('right'));
    expect(lastFrame()).toContain('Always allow in this project?');
    expect(choicesIn(lastFrame())).toEqual(['1. All edits in this project', '2. Edits of this file']);
    expect(lastFrame()).toContain('Rule: edits of files in /project');
    expect(lastFrame()).toContain('Rule: edits of /project/a.txt');
    await press(key('2'));
    expect(answers).toEqual([['proceed_always_and_save', { projectAnswer: 1 }]]);
  });

  it('is left with Esc or Left without an answer', async () => {
    const { lastFrame, press, answers } = await ask(edit);
    for (const back of ['escape', 'left'] as const) {
      await press(key('down'), key('right'));
      expect(lastFrame()).toContain('Always allow in this project?');
      await press(key(back));
      expect(lastFrame()).toContain('● 2. Allow for this session');
      await press(key('up'));
    }
    expect(answers).toEqual([]);
  });

  it('names the command family and the exact command', async () => {
    const exec = execDetails({
      command: 'git add a',
      projectAnswers: [
        { covers: 'project', rule: { commandPrefix: ['git add'] } },
        { covers: 'call', rule: { commandExact: 'git add a' } },
      ],
    });
    const { lastFrame, press } = await ask(exec);
    await press(key('down'), key('right'));
    expect(choicesIn(lastFrame())).toEqual(['1. Commands like this in this project', '2. Only this command']);
    expect(lastFrame()).toContain('Rule: git add …');
    expect(lastFrame()).toContain('Rule: exactly "git add a"');
  });

  it('does not exist where core offers none', async () => {
    const { lastFrame, press } = await ask(editDetails());
    await press(key('down'));
    expect(lastFrame()).not.toContain('in this project');
    await press(key('right'));
    expect(lastFrame()).toContain('Allow once');
  });
});

describe('The rule that "always" would save', () => {
  const shown = async (details: Details, setup: Setup = {}) => {
    const { lastFrame } = await ask(details, { height: 30, width: 100, ...setup });
    return lastFrame().replace(/[│\s]+/g, ' ');
  };

  it('names command families, or the exact line in its folder', async () => {
    const families = execDetails({ always: { commandPrefix: ['git add', 'touch'] } });
    expect(await shown(families)).toContain('2. Allow for this session Rule: git add …, touch …');
    expect(await shown(families)).toContain('future sessions The same rule, in this project');
    const exact = execDetails({ always: { commandExact: 'python3.11 a.py', path: '/home/u/p' } });
    expect(await shown(exact)).toContain('Rule: exactly "python3.11 a.py" in /home/u/p');
    const long = execDetails({ always: { commandExact: 'x\ny', path: '/p' } });
    expect(await shown(long)).toContain('Rule: exactly this command in /p');
  });

  it('names files, pages and processes', async () => {
    const edit = await shown(editDetails({ always: { path: '/p/a.txt' } }));
    expect(edit).toContain('2. Allow for this session Rule: all edits of this session (auto_edit mode)');
    expect(edit).toContain('future sessions Rule: a_tool of /p/a.txt, in this project');
    expect(await shown({ ...INFO_DETAILS, always: {} })).toContain('Rule: every call of a_tool');
    expect(await shown({ ...INFO_DETAILS, always: { argsPattern: '\\x00"pid":3\\x00' } })).toContain(
      'Rule: a_tool with the same pid',
    );
  });

  it('shows hidden characters by their code points', async () => {
    const text = await shown(execDetails({ always: { commandExact: 'a\u202eb\x1b[2J' } }));
    expect(text).toContain('Rule: exactly "a\\u{202E}b\\u{1B}[2J"');
  });

  it('is shown whole: a long one scrolls with the details', async () => {
    const commandPrefix = Array.from({ length: 60 }, (_, at) => `program${at}`);
    const details = execDetails({ always: { commandPrefix } });
    for (const setup of [
      { width: 80, height: 30 },
      { width: 40, height: 10 },
    ]) {
      const { lastFrame, press } = await ask(details, setup);
      expect(choicesIn(lastFrame())[0]).toBe('1. Allow once');
      let seen = '';
      for (let before = ''; lastFrame() !== before; await press(key('pagedown'))) {
        before = lastFrame();
        seen += before;
      }
      expect(commandPrefix.filter((name) => !seen.includes(name))).toEqual([]);
    }
  });
});

describe('A key', () => {
  it('takes the first choice if it is Enter', async () => {
    const { press, answers } = await ask(execDetails());
    await press(key('enter'));
    expect(answers).toEqual([['proceed_once', undefined]]);
  });

  it('selects at once if it is a digit', async () => {
    const { press, answers } = await ask(editDetails());
    await press(key('5'));
    expect(answers).toEqual([['cancel', undefined]]);
  });

  it('does nothing if it is a stray letter or a digit beyond the list', async () => {
    const { press, answers, lastFrame } = await ask(execDetails());
    const before = lastFrame();
    await press(...typed('yqz90'), pasted('1'));
    expect(answers).toEqual([]);
    expect(lastFrame()).toBe(before);
  });

  it('moves the selection if it is an arrow, j or k, also several in one read', async () => {
    const { press, answers } = await ask(execDetails());
    await press(key('down'), key('j'), key('k'), key('up'), key('up'));
    await press(key('enter'));
    expect(answers).toEqual([['cancel', undefined]]);
  });

  it('refuses if it is Esc', async () => {
    const { press, answers } = await ask(MCP_DETAILS);
    await press(key('escape'));
    expect(answers).toEqual([['cancel', undefined]]);
  });

  it('answers a question only once', async () => {
    const { press, answers } = await ask(execDetails());
    await press(key('enter'), key('enter'), key('2'));
    expect(answers).toHaveLength(1);
  });

  it('opens a field for the reason of a refusal if it is Tab', async () => {
    const { press, answers, lastFrame } = await ask(execDetails());
    await press(key('tab'), ...typed('use '), pasted('git clean'));
    expect(lastFrame()).toContain('> use git clean');
    await press(key('enter'));
    expect(answers).toEqual([['cancel', { feedback: 'use git clean' }]]);
  });

  it('returns from the field to the choices if it is Esc, keeping text and selection', async () => {
    const { press, answers, lastFrame } = await ask(execDetails());
    await press(key('down'), key('tab'), ...typed('12'), key('escape'));
    expect(answers).toEqual([]);
    expect(choicesIn(lastFrame())).toHaveLength(4);
    expect(lastFrame()).toContain('● 2.');
    await press(key('tab'));
    expect(lastFrame()).toContain('> 12');
  });

  it('never moves the selection if it scrolls, even when everything is visible', async () => {
    const { press, lastFrame } = await ask(execDetails());
    await press(key('pagedown'), key('ctrl+end'));
    expect(lastFrame()).toContain('● 1. Allow once');
  });
});
