import { homedir } from 'node:os';
import { join } from 'node:path';
import { ApprovalMode, type Settings } from '@gemini-cli/core';
import { tempDir } from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../command-line/parse.js';
import { isDebug, requestedModel, toParameters } from './engine-parameters.js';

function parametersOf(
  argv: string[],
  { env = {}, settings = {} as Settings, cwd = '/srv', trusted = true } = {},
) {
  const warnings: string[] = [];
  const { flags } = parseCommandLine(argv).line;
  const warn = (message: string) => warnings.push(message);
  const parameters = toParameters({
    flags,
    env,
    settings,
    cwd,
    sessionId: 's',
    interactive: false,
    trusted,
    warn,
  });
  return { ...parameters, warnings };
}

describe('model', () => {
  it('comes from the flag, the environment, the settings, in that order', () => {
    const settings = { model: { name: 'c' } };
    const env = { GEMINI_MODEL: 'b' };
    expect(requestedModel({ model: 'a' }, env, settings)).toBe('a');
    expect(requestedModel({}, env, settings)).toBe('b');
    expect(requestedModel({ model: '' }, { GEMINI_MODEL: '' }, settings)).toBe('c');
    expect(requestedModel({}, {}, {})).toBe('auto');
  });
});

describe('debug', () => {
  it('is on by flag or by two variables', () => {
    expect(isDebug({ debug: true }, {})).toBe(true);
    expect(isDebug({}, { DEBUG: '1' })).toBe(true);
    expect(isDebug({}, { DEBUG_MODE: 'true' })).toBe(true);
    expect(isDebug({}, { DEBUG: 'express:*' })).toBe(false);
  });
});

describe('approval mode', () => {
  it('takes the flags first', () => {
    expect(parametersOf(['-y']).approvalMode).toBe(ApprovalMode.YOLO);
    expect(parametersOf(['--approval-mode=yolo']).approvalMode).toBe(ApprovalMode.YOLO);
    expect(parametersOf(['--approval-mode', 'auto_edit']).approvalMode).toBe(ApprovalMode.AUTO_EDIT);
    expect(parametersOf([]).approvalMode).toBe(ApprovalMode.DEFAULT);
  });

  it('then the settings', () => {
    const settings: Settings = { general: { defaultApprovalMode: 'auto_edit' } };
    expect(parametersOf([], { settings }).approvalMode).toBe(ApprovalMode.AUTO_EDIT);
    expect(parametersOf(['--approval-mode=plan'], { settings }).approvalMode).toBe(ApprovalMode.PLAN);
  });

  it('is not plan where plan mode is switched off', () => {
    const settings: Settings = { general: { plan: { enabled: false } } };
    expect(parametersOf(['--approval-mode=plan'], { settings })).toMatchObject({
      approvalMode: ApprovalMode.DEFAULT,
      warnings: ['Plan mode is disabled (general.plan.enabled): the approval mode is "default".'],
    });
  });

  it('falls back where the folder is not trusted, except to what is stricter', () => {
    expect(parametersOf(['-y'], { trusted: false })).toMatchObject({
      approvalMode: ApprovalMode.DEFAULT,
      warnings: ['The folder is not trusted: the approval mode is "default" instead of "yolo".'],
    });
    expect(parametersOf(['--approval-mode=plan'], { trusted: false }).approvalMode).toBe(ApprovalMode.PLAN);
  });
});

describe('the rest', () => {
  it('turns flags into limits, files and directories', () => {
    const argv = ['--max-tokens=5', '--max-time=1.5', '--max-tool-calls=0', '--fake-responses', 'a.jsonl'];
    expect(
      parametersOf([
        ...argv,
        '--record-responses=/r.jsonl',
        '--include-directories',
        'x,~/y',
        '--allowed-tools=a',
      ]),
    ).toMatchObject({
      sessionId: 's',
      targetDir: '/srv',
      interactive: false,
      budget: { maxTokens: 5, maxTimeMs: 1500, maxToolCalls: 0 },
      fakeResponses: { path: '/srv/a.jsonl', strict: true },
      recordResponses: '/r.jsonl',
      includeDirectories: ['/srv/x', join(homedir(), 'y')],
      allowedTools: ['a'],
    });
    expect(parametersOf(['--fake-responses-non-strict', '/b']).fakeResponses).toEqual({
      path: '/b',
      strict: false,
    });
  });

  it('takes each limit from the command line, else from the settings', () => {
    const settings: Settings = {
      model: { budget: { maxCost: 2, maxTokens: 10, maxTime: 60, maxToolCalls: 3 } },
    };
    expect(parametersOf([], { settings }).budget).toEqual({
      maxCost: 2,
      maxTokens: 10,
      maxTimeMs: 60_000,
      maxToolCalls: 3,
    });
    expect(parametersOf(['--max-cost=0', '--max-time', '1'], { settings }).budget).toEqual({
      maxCost: 0,
      maxTokens: 10,
      maxTimeMs: 1000,
      maxToolCalls: 3,
    });
  });

  it('finds the schema of the answer from the working directory', () => {
    expect(parametersOf(['--output-schema', 'a.json']).outputSchema).toBe('/srv/a.json');
    expect(parametersOf([]).outputSchema).toBeUndefined();
  });

  it('leaves out directories of the settings that are gone, and says so', () => {
    const { path, cleanup } = tempDir();
    const settings = {
      context: { includeDirectories: [path, join(path, 'gone')] },
      tools: { allowed: ['b'] },
    };
    const { includeDirectories, allowedTools, warnings } = parametersOf(['--allowed-tools', 'a'], {
      settings,
    });
    cleanup();
    expect({ includeDirectories, allowedTools }).toEqual({
      includeDirectories: [path],
      allowedTools: ['b', 'a'],
    });
    expect(warnings).toEqual([
      `context.includeDirectories in settings.json: ${join(path, 'gone')} is no directory and is left out.`,
    ]);
  });
});
