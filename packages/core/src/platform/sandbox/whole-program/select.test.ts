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
    bubblewrapProblem: async () =>
      programs.includes('bwrap') ? undefined : { reason: 'No bubblewrap.', remedy: 'Install it.' },
    ...rest,
  });
};
const chosen = async (sources: Parameters<typeof select>[0]) => (await select(sources))?.command;

describe('selectSandbox', () => {
  it('prefers the variable to the flag, and the flag to the setting', async () => {
    expect(await chosen({ env: { GEMINI_SANDBOX: 'podman' }, flag: false, setting: 'docker' })).toBe(
      'podman',
    );
    expect(await chosen({ env: { GEMINI_SANDBOX: 'false' }, flag: true, setting: true })).toBeUndefined();
    expect(await chosen({ env: { GEMINI_SANDBOX: '' }, flag: true })).toBe('docker');
    expect(await chosen({ flag: false, setting: 'docker' })).toBeUndefined();
    expect(await chosen({ flag: 'podman' })).toBe('podman');
    expect(await chosen({ setting: 'runsc' })).toBe('runsc');
    expect(await chosen({})).toBeUndefined();
  });

  it('returns undefined inside a sandbox', async () => {
    expect(await chosen({ env: { SANDBOX: 'x', GEMINI_SANDBOX: 'nonsense' }, flag: true })).toBeUndefined();
  });
});

describe('the value true', () => {
  it.each([
    ['darwin', ['sandbox-exec', 'docker'], 'sandbox-exec'],
    ['darwin', ['docker'], 'docker'],
    ['linux', ['podman', 'docker'], 'docker'],
    ['linux', ['podman'], 'podman'],
    ['win32', ['docker'], 'docker'],
    ['linux', ['bwrap', 'docker'], 'bwrap'],
    ['win32', ['docker', 'bwrap'], 'docker'],
  ] as const)('means on %s with %j: %s', async (platform, programs, expected) => {
    expect(await chosen({ env: { GEMINI_SANDBOX: '1' }, platform, programs: [...programs] })).toBe(expected);
  });

  it('never selects runsc or lxc, and is an error when nothing else is installed', async () => {
    const attempt = (platform: NodeJS.Platform) =>
      chosen({ flag: true, programs: ['runsc', 'lxc'], platform });
    await expect(attempt('linux')).rejects.toBeInstanceOf(FatalSandboxError);
    await expect(attempt('linux')).rejects.toThrow(
      /No bubblewrap\. Install it\. Or install docker or podman, or remove --sandbox/,
    );
    await expect(attempt('win32')).rejects.toThrow(
      /neither docker nor podman is installed.*remove --sandbox/,
    );
  });

  it('means on Linux a container when an image is named, or only a container can do what is asked', async () => {
    const programs = ['podman', 'bwrap'];
    expect(await chosen({ flag: true, programs, env: { GEMINI_SANDBOX_IMAGE: 'mine' } })).toBe('podman');
    expect(await chosen({ flag: true, programs, setting: { image: 'mine' } })).toBe('podman');
    expect(await chosen({ flag: true, programs, env: { BUILD_SANDBOX: '1' } })).toBe('podman');
    expect(await chosen({ flag: true, programs, env: { GEMINI_SANDBOX_PROXY_COMMAND: 'p' } })).toBe('podman');
    expect(await chosen({ flag: true, programs, env: { BUILD_SANDBOX: '0' } })).toBe('bwrap');
  });

  it('means bubblewrap when an image is named and there is no program to run it', async () => {
    const env = { GEMINI_SANDBOX_IMAGE: 'mine' };
    expect(await chosen({ flag: true, programs: ['bwrap'], env })).toBe('bwrap');
    const proxied = chosen({ flag: true, programs: ['bwrap'], env: { GEMINI_SANDBOX_PROXY_COMMAND: 'p' } });
    await expect(proxied).rejects.toThrow(/GEMINI_SANDBOX_PROXY_COMMAND needs docker or podman/);
  });

  it('does not test bubblewrap when another sandbox is named', async () => {
    const bubblewrapProblem = () => Promise.reject(new Error('tested'));
    expect(await chosen({ flag: 'docker', bubblewrapProblem })).toBe('docker');
    expect(await chosen({ flag: true, env: { GEMINI_SANDBOX_IMAGE: 'i' }, bubblewrapProblem })).toBe(
      'docker',
    );
  });
});

describe('a settings object', () => {
  it('counts as enabled with a command or an image', async () => {
    expect(await select({ setting: { image: 'x' } })).toEqual({
      command: 'docker',
      image: 'x',
      allowedPaths: [],
      networkAccess: true,
    });
    expect(await chosen({ setting: { command: 'podman' } })).toBe('podman');
    expect(await chosen({ setting: { command: 'podman', enabled: false } })).toBeUndefined();
    expect(await chosen({ setting: { enabled: true } })).toBe('docker');
    expect(await chosen({ setting: { allowedPaths: ['/x'] } })).toBeUndefined();
  });

  it('configures a sandbox that the variable or the flag requests', async () => {
    const setting = { enabled: false, image: 'i', allowedPaths: ['/x'], networkAccess: false };
    expect(await select({ flag: true, setting })).toEqual({
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
      /"chroot" is not a kind of sandbox.*docker, podman, bwrap, sandbox-exec/,
    ],
    [{ env: { GEMINI_SANDBOX: 'sandbox-exec' } }, /works on macOS only/],
    [{ env: { GEMINI_SANDBOX: 'lxc' }, platform: 'darwin' as const }, /works on Linux only/],
    [{ env: { GEMINI_SANDBOX: 'windows-native' } }, /works on Windows only/],
    [
      { env: { GEMINI_SANDBOX: 'windows-native' }, platform: 'win32' as const },
      /not available in this version/,
    ],
    [{ flag: 'podman', programs: ['docker'] }, /podman is not installed/],
    [{ flag: 'bwrap' }, /No bubblewrap\. Install it\./],
    [{ flag: 'bwrap', platform: 'darwin' as const }, /works on Linux only/],
    [{ setting: 'runsc', programs: ['docker'] }, /runsc is not installed/],
    [{ setting: 7 }, /tools\.sandbox in settings\.json is neither/],
    [{ setting: { image: 7 } }, /tools\.sandbox\.image .* wrong type/],
  ])('%j', async (sources, message) => {
    await expect(select(sources)).rejects.toThrow(message);
    await expect(select(sources)).rejects.toMatchObject({ exitCode: 44 });
  });
});
