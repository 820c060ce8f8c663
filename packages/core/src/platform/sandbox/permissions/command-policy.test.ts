import { expect, it } from 'vitest';
import { ApprovalMode } from '../../../protocol/confirmation.js';
import { type CommandPolicySources, commandPolicy, sandboxMode } from './command-policy.js';
import { DEFAULT_SANDBOX_FILE } from './config-file.js';

const file = {
  ...DEFAULT_SANDBOX_FILE,
  commands: new Map([
    ['npm', { allowedPaths: ['/cache', '/shared'], allowNetwork: true }],
    ['node', { allowedPaths: ['/shared'], allowNetwork: false }],
  ]),
};
const policy = (rest: Partial<CommandPolicySources> = {}) =>
  commandPolicy({
    workspace: '/w',
    includeDirectories: ['/inc'],
    temporaryDirectories: ['/t'],
    forbiddenPaths: ['/f'],
    mode: 'default',
    file,
    programs: ['make'],
    granted: [],
    ...rest,
  });

it('by default the workspace is writable, the rest is not, and there is no network', () => {
  expect(policy()).toEqual({
    workspace: ['/w'],
    readOnlyPaths: ['/inc'],
    writablePaths: ['/t'],
    forbiddenPaths: ['/f'],
    network: 'off',
    workspaceWritable: true,
    allowGitWrites: false,
    limits: { maxProcesses: 2048 },
  });
});

it('plan mode writes nothing, not even for git; yolo mode has the network', () => {
  expect(policy({ mode: 'plan', programs: ['git'] })).toMatchObject({
    workspaceWritable: false,
    allowGitWrites: false,
  });
  expect(policy({ mode: 'yolo' }).network).toBe('on');
});

it('git may write .git only where nothing else runs in the same line', () => {
  expect(policy({ programs: ['/usr/bin/git', 'git'] }).allowGitWrites).toBe(true);
  expect(policy({ programs: ['git', 'sh'] }).allowGitWrites).toBe(false);
  expect(policy({ programs: [] }).allowGitWrites).toBe(false);
});

it('a saved grant applies only if every program of the line has it', () => {
  expect(policy({ programs: ['npm'] })).toMatchObject({
    network: 'on',
    writablePaths: ['/t', '/cache', '/shared'],
  });
  expect(policy({ programs: ['npm', 'node'] })).toMatchObject({
    network: 'off',
    writablePaths: ['/t', '/shared'],
  });
  expect(policy({ programs: ['npm', 'evil'] })).toMatchObject({ network: 'off', writablePaths: ['/t'] });
  expect(policy({ programs: [] })).toMatchObject({ network: 'off', writablePaths: ['/t'] });
});

it('grants of the session are added', () => {
  const granted = [{ network: true }, { fileSystem: { read: ['/r'], write: ['/x'] } }];
  expect(policy({ granted })).toMatchObject({
    network: 'on',
    readOnlyPaths: ['/inc', '/r'],
    writablePaths: ['/t', '/x'],
  });
});

it('every approval mode maps to a sandbox mode', () => {
  expect(Object.values(ApprovalMode).map(sandboxMode).sort()).toEqual([
    'accepting_edits',
    'default',
    'plan',
    'yolo',
  ]);
});

it('a mode may allow a list of hosts instead of the whole network', () => {
  const listed = {
    ...file,
    modes: { ...file.modes, default: { ...file.modes.default, network: ['example.com'] } },
  };
  expect(policy({ file: listed }).network).toEqual({ allowHosts: ['example.com'] });
  expect(policy({ file: listed, granted: [{ network: true }] }).network).toBe('on');
});
