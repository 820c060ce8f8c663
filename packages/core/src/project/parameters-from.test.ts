import { homedir } from 'node:os';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { describe, expect, it } from 'vitest';
import { environmentOf } from '../platform/environment.js';
import { ApprovalMode } from '../protocol/confirmation.js';
import type { Settings } from '../settings/schema/index.js';
import type { ProjectOverrides } from './overrides.js';
import { isDebug, requestedModel, toParameters } from './parameters-from.js';

function parametersOf(
  overrides: ProjectOverrides,
  { env = {}, settings = {} as Settings, cwd = '/srv', trusted = true } = {},
) {
  const warnings: string[] = [];
  const parameters = toParameters({
    overrides,
    environment: environmentOf(env, cwd),
    settings,
    cwd,
    session: { sessionId: 's' },
    frontEnd: { interactive: false },
    trusted,
    notice: (message) => warnings.push(message),
  });
  return { ...parameters, warnings };
}

describe('the model parameter', () => {
  it('comes from the flag, the environment, the settings, in that order', () => {
    const settings = { model: { name: 'c' } };
    const env = { GEMINI_MODEL: 'b' };
    expect(requestedModel({ model: 'a' }, env, settings)).toBe('a');
    expect(requestedModel({}, env, settings)).toBe('b');
    expect(requestedModel({ model: '' }, { GEMINI_MODEL: '' }, settings)).toBe('c');
    expect(requestedModel({}, {}, {})).toBe('auto');
  });
});

describe('debug mode', () => {
  it('is enabled by flag or by two variables', () => {
    expect(isDebug({ debug: true }, {})).toBe(true);
    expect(isDebug({}, { DEBUG: '1' })).toBe(true);
    expect(isDebug({}, { DEBUG_MODE: 'true' })).toBe(true);
    expect(isDebug({}, { DEBUG: 'express:*' })).toBe(false);
  });
});

describe('the approval mode', () => {
  it('comes from the overrides first', () => {
    expect(parametersOf({ approvalMode: 'yolo' }).approvalMode).toBe(ApprovalMode.YOLO);
    expect(parametersOf({ approvalMode: 'auto_edit' }).approvalMode).toBe(ApprovalMode.AUTO_EDIT);
    expect(parametersOf({}).approvalMode).toBe(ApprovalMode.DEFAULT);
  });

  it('comes from the settings second', () => {
    const settings: Settings = { general: { defaultApprovalMode: 'auto_edit' } };
    expect(parametersOf({}, { settings }).approvalMode).toBe(ApprovalMode.AUTO_EDIT);
    expect(parametersOf({ approvalMode: 'plan' }, { settings }).approvalMode).toBe(ApprovalMode.PLAN);
  });

  it('is not plan where plan mode is disabled', () => {
    const settings: Settings = { general: { plan: { enabled: false } } };
    expect(parametersOf({ approvalMode: 'plan' }, { settings })).toMatchObject({
      approvalMode: ApprovalMode.DEFAULT,
      warnings: ['Plan mode is disabled (general.plan.enabled): the approval mode is "default".'],
    });
  });

  it('becomes default in an untrusted folder, unless it is stricter', () => {
    expect(parametersOf({ approvalMode: 'yolo' }, { trusted: false })).toMatchObject({
      approvalMode: ApprovalMode.DEFAULT,
      warnings: ['The folder is not trusted: the approval mode is "default" instead of "yolo".'],
    });
    expect(parametersOf({ approvalMode: 'plan' }, { trusted: false }).approvalMode).toBe(ApprovalMode.PLAN);
  });
});

describe('toParameters', () => {
  it('turns overrides into limits, files and directories', () => {
    expect(
      parametersOf({
        maxTokens: 5,
        maxTimeSeconds: 1.5,
        maxToolCalls: 0,
        fakeResponses: { path: 'a.jsonl', strict: true },
        recordResponses: '/r.jsonl',
        includeDirectories: ['x', '~/y'],
        allowedTools: ['a'],
      }),
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
  });

  it('takes each limit from the overrides, else from the settings', () => {
    const settings: Settings = {
      model: { budget: { maxCost: 2, maxTokens: 10, maxTime: 60, maxToolCalls: 3 } },
    };
    expect(parametersOf({}, { settings }).budget).toEqual({
      maxCost: 2,
      maxTokens: 10,
      maxTimeMs: 60_000,
      maxToolCalls: 3,
    });
    expect(parametersOf({ maxCost: 0, maxTimeSeconds: 1 }, { settings }).budget).toEqual({
      maxCost: 0,
      maxTokens: 10,
      maxTimeMs: 1000,
      maxToolCalls: 3,
    });
  });

  it('takes the sandbox and the output format from the settings', () => {
    const sandboxOf = (sandbox: NonNullable<Settings['tools']>['sandbox']) =>
      parametersOf({}, { settings: { tools: { sandbox } } }).sandbox;
    expect(sandboxOf({ command: 'docker', image: 'i' })).toEqual({ command: 'docker', image: 'i' });
    expect(sandboxOf('podman')).toEqual({ command: 'podman' });
    for (const none of [true, false, 'own-profile.sb', { enabled: false, command: 'docker' }])
      expect(sandboxOf(none)).toBeUndefined();
    expect(parametersOf({}, { settings: { output: { format: 'json' } } }).output).toEqual({ format: 'json' });
  });

  it('resolves the output schema from the working directory', () => {
    expect(parametersOf({ outputSchema: 'a.json' }).outputSchema).toBe('/srv/a.json');
    expect(parametersOf({}).outputSchema).toBeUndefined();
  });

  it('ignores missing directories of the settings, with a warning', () => {
    const { path, cleanup } = tempDir();
    const settings = {
      context: { includeDirectories: [path, join(path, 'gone')] },
      tools: { allowed: ['b'] },
    };
    const { includeDirectories, allowedTools, warnings } = parametersOf(
      { allowedTools: ['a'] },
      {
        settings,
      },
    );
    cleanup();
    expect({ includeDirectories, allowedTools }).toEqual({
      includeDirectories: [path],
      allowedTools: ['b', 'a'],
    });
    expect(warnings).toEqual([
      `context.includeDirectories in settings.json: ${join(path, 'gone')} is not a directory and is left out.`,
    ]);
  });
});
