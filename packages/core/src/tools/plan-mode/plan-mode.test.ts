import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBus, tempDir } from '@gemini-cli/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  ApprovalMode,
  PolicyDecision,
  ToolConfirmationOutcome,
  type ToolConfirmationPayload,
} from '../../protocol/confirmation.js';
import { EnterPlanModeTool } from './enter-plan-mode.js';
import { type ExitPlanModeParams, ExitPlanModeTool } from './exit-plan-mode.js';

const signal = new AbortController().signal;

interface Around {
  mode?: ApprovalMode;
  before?: ApprovalMode;
  interactive?: boolean;
  trusted?: boolean;
}

function lab({ mode = ApprovalMode.PLAN, before, interactive = true, trusted = true }: Around = {}) {
  const folder = tempDir('plan-mode-');
  onTestFinished(() => folder.cleanup());
  const plans = join(folder.path, 'plans');
  let approved: string | undefined;
  const host = {
    isInteractive: () => interactive,
    getApprovalMode: () => mode,
    setApprovalMode: (next: ApprovalMode) => {
      if (!trusted && next !== ApprovalMode.DEFAULT) throw new Error('Not trusted.');
      mode = next;
    },
    getModeBeforePlan: () => before,
    getPlansDirectory: () => plans,
    setApprovedPlanPath: (path: string) => {
      approved = path;
    },
  };
  const exit = (params: object, decision = PolicyDecision.ASK_USER) =>
    // The tool itself judges what it is sent.
    new ExitPlanModeTool(host, makeBus(decision)).build(params as ExitPlanModeParams);
  return {
    folder: folder.path,
    plans,
    enter: (reason?: string) =>
      new EnterPlanModeTool(host, makeBus(PolicyDecision.ASK_USER)).build(reason ? { reason } : {}),
    exit,
    write: (name: string, text = '# Plan\n') => {
      mkdirSync(plans, { recursive: true });
      writeFileSync(join(plans, name), text);
      return join(plans, name);
    },
    answer: async (payload: ToolConfirmationPayload | undefined, params: object) => {
      const invocation = exit(params);
      const details = await invocation.shouldConfirmExecute(signal);
      if (!details) throw new Error('The user was not asked.');
      await details.onConfirm(ToolConfirmationOutcome.ProceedOnce, payload);
      return String((await invocation.execute({ abortSignal: signal })).llmContent);
    },
    state: () => ({ mode, approved }),
  };
}

describe('enter_plan_mode', () => {
  it('asks with its reason, then switches and creates the folder', async () => {
    const { enter, plans, state } = lab({ mode: ApprovalMode.AUTO_EDIT });
    const invocation = enter('It touches the database.');
    const details = await invocation.shouldConfirmExecute(signal);
    expect(details).toMatchObject({ type: 'info', prompt: expect.stringContaining('touches the database') });
    expect(state().mode).toBe(ApprovalMode.AUTO_EDIT);
    const { llmContent } = await invocation.execute({ abortSignal: signal });
    expect(llmContent).toBe(`Switching to Plan mode. Write the plan as a Markdown file in ${plans}.`);
    expect(state().mode).toBe(ApprovalMode.PLAN);
    expect(existsSync(plans)).toBe(true);
  });

  it('fails when plan mode is already on', async () => {
    const { error } = await lab().enter().execute({ abortSignal: signal });
    expect(error?.message).toBe('You are in plan mode already.');
  });

  it('keeps the mode when the folder cannot be created', async () => {
    const { enter, plans, state } = lab({ mode: ApprovalMode.DEFAULT });
    writeFileSync(plans, 'in the way');
    const { error } = await enter().execute({ abortSignal: signal });
    expect(error?.message).toContain('The folder for plans cannot be made');
    expect(state().mode).toBe(ApprovalMode.DEFAULT);
  });
});

describe('exit_plan_mode', () => {
  it.each([
    [{ approved: true, approvalMode: ApprovalMode.AUTO_EDIT }, ApprovalMode.AUTO_EDIT],
    [{ approved: true, approvalMode: ApprovalMode.DEFAULT }, ApprovalMode.DEFAULT],
    // Approving a plan never switches to yolo.
    [{ approved: true, approvalMode: ApprovalMode.YOLO }, ApprovalMode.DEFAULT],
    [undefined, ApprovalMode.DEFAULT],
  ])('switches, when the user approves with %j, to the mode %s', async (payload, mode) => {
    const { write, answer, state } = lab({ before: ApprovalMode.YOLO });
    const path = write('a.md');
    const told = await answer(payload, { plan_filename: 'a.md' });
    expect(told).toContain('The plan is approved.');
    expect(told).toContain(`the approval mode is ${mode} (`);
    expect(told).toContain(path);
    expect(state()).toEqual({ mode, approved: path });
  });

  it('stays in plan mode when the user refuses, and passes on why', async () => {
    const { write, answer, state } = lab();
    write('a.md');
    const told = await answer({ approved: false, feedback: 'add tests' }, { plan_filename: 'a.md' });
    expect(told).toContain('still in plan mode. The user says: add tests');
    expect(state()).toEqual({ mode: ApprovalMode.PLAN, approved: undefined });
  });

  it('accepts the older name of the argument and an absolute path', async () => {
    const { write, exit } = lab();
    const path = write('a.md');
    const details = await exit({ plan_path: path }).shouldConfirmExecute(signal);
    expect(details).toMatchObject({ type: 'exit_plan_mode', planPath: path });
    expect(() => exit({})).toThrow('plan_filename');
  });

  it('asks about edits in an untrusted folder', async () => {
    const { write, answer } = lab({ trusted: false });
    write('a.md');
    const payload = { approved: true, approvalMode: ApprovalMode.AUTO_EDIT };
    expect(await answer(payload, { plan_filename: 'a.md' })).toContain('the approval mode is default');
  });

  it.each([
    ['no such file', 'none.md', 'There is no plan'],
    ['an empty file', 'empty.md', 'is empty'],
    ['another kind of file', 'a.txt', 'is a Markdown file'],
    ['a folder', 'folder.md', 'There is no plan'],
    ['a way out', '../outside.md', 'is a Markdown file'],
    ['a link that leads out', 'link.md', 'is a Markdown file'],
    ['no name', ' ', 'names no plan'],
  ])('fails without asking the user about %s', async (_what, plan_filename, problem) => {
    const { write, exit, folder, plans, state } = lab();
    write('a.txt');
    write('empty.md', ' \n');
    mkdirSync(join(plans, 'folder.md'));
    writeFileSync(join(folder, 'outside.md'), 'secret');
    symlinkSync(join(folder, 'outside.md'), join(plans, 'link.md'));
    const invocation = exit({ plan_filename });
    expect(await invocation.shouldConfirmExecute(signal)).toBe(false);
    const { error } = await invocation.execute({ abortSignal: signal });
    expect(error?.message).toContain(problem);
    expect(state()).toEqual({ mode: ApprovalMode.PLAN, approved: undefined });
  });

  it.each([
    [{ interactive: false, before: ApprovalMode.AUTO_EDIT }, ApprovalMode.AUTO_EDIT],
    [{ interactive: false, before: ApprovalMode.YOLO }, ApprovalMode.YOLO],
    [{ interactive: false }, ApprovalMode.DEFAULT],
    [{ interactive: true, before: ApprovalMode.AUTO_EDIT }, ApprovalMode.DEFAULT],
  ])('switches, when a rule allows the call with %j, to the mode %s', async (around, mode) => {
    const { write, exit, state } = lab(around);
    const path = write('a.md');
    const invocation = exit({ plan_filename: 'a.md' }, PolicyDecision.ALLOW);
    expect(await invocation.shouldConfirmExecute(signal)).toBe(false);
    await invocation.execute({ abortSignal: signal });
    expect(state()).toEqual({ mode, approved: path });
  });

  it('fails outside of plan mode', async () => {
    const { write, exit } = lab({ mode: ApprovalMode.DEFAULT, interactive: false });
    write('a.md');
    const { error } = await exit({ plan_filename: 'a.md' }).execute({ abortSignal: signal });
    expect(error?.message).toBe('You are not in plan mode.');
  });
});
