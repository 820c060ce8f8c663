import { describe, expect, it } from 'vitest';
import { FatalSandboxError } from '../../../base/errors.js';
import { type SelectionSources, selectSandbox } from './select.js';

const select = (sources: Partial<SelectionSources> & { programs?: string[] }) => {
  const { programs = ['docker', 'podman', 'runsc', 'lxc', 'sandbox-exec'], ...rest } = sources;
  const hasProgram = (name: string) => programs.includes(name);
  return selectSandbox({
    env: {},
    flag: undefined,
    setting: undefined,
    platform: 'linux',
    hasProgram,
    ...rest,
  });
};
const chosen = (sources: Parameters<typeof select>[0]) => select(sources)?.command;

describe('selectSandbox', () => {
  it('prefers the variable to the flag, and the flag to the setting', () => {
    expect(chosen({ env: { GEMINI_SANDBOX: 'podman' }, flag: false, setting: 'docker' })).toBe('podman');
    expect(chosen({ env: { GEMINI_SANDBOX: 'false' }, flag: true, setting: true })).toBeUndefined();
    expect(chosen({ env: { GEMINI_SANDBOX: '' }, flag: true })).toBe('docker');
    expect(chosen({ flag: false, setting: 'docker' })).toBeUndefined();
    expect(chosen({ flag: 'podman' })).toBe('podman');
    expect(chosen({ setting: 'runsc' })).toBe('runsc');
    expect(chosen({})).toBeUndefined();
  });

  it('returns undefined inside a sandbox', () => {
    expect(chosen({ env: { SANDBOX: 'x', GEMINI_SANDBOX: 'nonsense' }, flag: true })).toBeUndefined();
  });
});

describe('the value true', () => {
  it.each([
    ['darwin', ['sandbox-exec', 'docker'], 'sandbox-exec'],
    ['darwin', ['docker'], 'docker'],
    ['linux', ['podman', 'docker'], 'docker'],
    ['linux', ['podman'], 'podman'],
    ['win32', ['docker'], 'docker'],
  ] as const)('means on %s with %j: %s', (platform, programs, expected) => {
    expect(chosen({ env: { GEMINI_SANDBOX: '1' }, platform, programs: [...programs] })).toBe(expected);
  });

  it('never selects runsc or lxc, and is an error when nothing else is installed', () => {
    const attempt = () => chosen({ flag: true, programs: ['runsc', 'lxc'] });
    expect(attempt).toThrow(FatalSandboxError);
    expect(attempt).toThrow(/neither docker nor podman is installed.*remove --sandbox/);
  });
});

describe('a settings object', () => {
  it('counts as enabled with a command or an image', () => {
    expect(select({ setting: { image: 'x' } })).toEqual({
      command: 'docker',
      image: 'x',
      allowedPaths: [],
      networkAccess: true,
    });
    expect(chosen({ setting: { command: 'podman' } })).toBe('podman');
    expect(chosen({ setting: { command: 'podman', enabled: false } })).toBeUndefined();
    expect(chosen({ setting: { enabled: true } })).toBe('docker');
    expect(chosen({ setting: { allowedPaths: ['/x'] } })).toBeUndefined();
  });

  it('configures a sandbox that the variable or the flag requests', () => {
    const setting = { enabled: false, image: 'i', allowedPaths: ['/x'], networkAccess: false };
    expect(select({ flag: true, setting })).toEqual({
      command: 'docker',
      image: 'i',
      allowedPaths: ['/x'],
      networkAccess: false,
    });
  });
});

describe('a sandbox that is not available is fatal with exit code 44', () => {
  it.each([
    [
      { env: { GEMINI_SANDBOX: 'chroot' } },
      /"chroot" is not a kind of sandbox.*docker, podman, sandbox-exec/,
    ],
    [{ env: { GEMINI_SANDBOX: 'sandbox-exec' } }, /works on macOS only/],
    [{ env: { GEMINI_SANDBOX: 'lxc' }, platform: 'darwin' as const }, /works on Linux only/],
    [{ env: { GEMINI_SANDBOX: 'windows-native' } }, /works on Windows only/],
    [
      { env: { GEMINI_SANDBOX: 'windows-native' }, platform: 'win32' as const },
      /not available in this version/,
    ],
    [{ flag: 'podman', programs: ['docker'] }, /podman is not installed/],
    [{ setting: 'runsc', programs: ['docker'] }, /runsc is not installed/],
    [{ setting: 7 }, /tools\.sandbox in settings\.json is neither/],
    [{ setting: { image: 7 } }, /tools\.sandbox\.image .* wrong type/],
  ])('%j', (sources, message) => {
    expect(() => select(sources)).toThrow(message);
    try {
      select(sources);
    } catch (error) {
      expect(error).toMatchObject({ exitCode: 44 });
    }
  });
});
