import { describe, expect, it } from 'vitest';
import { MountPlan } from './mount-plan.js';

const empty = { file: '/E/file', directory: '/E/dir' };
function plan(
  ...mounts: [path: string, kind: Parameters<MountPlan['add']>[1], isDirectory?: boolean][]
): MountPlan {
  const made = new MountPlan();
  for (const [path, kind, isDirectory] of mounts) made.add(path, kind, isDirectory);
  return made;
}

describe('the mount plan', () => {
  it('orders mounts from the root downwards, so that the most specific path decides', () => {
    const made = plan(
      ['/home/me/.ssh', 'hidden'],
      ['/tmp', 'private'],
      ['/home/me', 'writable'],
      ['/home/me/.git', 'readonly'],
    );
    expect(made.arguments(empty)).toEqual([
      ...['--perms', '1777', '--tmpfs', '/tmp'],
      ...['--bind', '/home/me', '/home/me'],
      ...['--ro-bind', '/E/dir', '/home/me/.ssh'],
      ...['--ro-bind', '/home/me/.git', '/home/me/.git'],
    ]);
  });

  it('mounts granted paths inside a hidden directory, and makes it read-only afterwards', () => {
    const made = plan(
      ['/h/.gemini', 'hidden'],
      ['/h/.gemini/tmp/x', 'writable'],
      ['/h/.env', 'hidden', false],
    );
    expect(made.arguments(empty)).toEqual([
      ...['--ro-bind', '/E/file', '/h/.env'],
      ...['--tmpfs', '/h/.gemini'],
      ...['--bind', '/h/.gemini/tmp/x', '/h/.gemini/tmp/x'],
      ...['--remount-ro', '/h/.gemini'],
    ]);
  });

  it('drops redundant mounts', () => {
    const made = plan(
      ['/a', 'readonly'],
      ['/tmp', 'private'],
      ['/tmp/x', 'hidden'],
      ['/w', 'writable'],
      ['/w/.git', 'writable'],
    );
    expect(made.ordered().map(({ path }) => path)).toEqual(['/w', '/tmp', '/w/.git']);
  });

  it('mounts nothing inside a forbidden path', () => {
    const made = plan(['/w', 'writable'], ['/w/secret/deep', 'writable'], ['/w/secret', 'writable']);
    made.forbid('/w/secret', true);
    expect(made.arguments(empty)).toEqual(['--bind', '/w', '/w', '--ro-bind', '/E/dir', '/w/secret']);
    expect(made.kindAt('/w/secret/deep/x')).toBe('hidden');
    expect(made.kindAt('/w/other')).toBe('writable');
    expect(made.kindAt('/usr')).toBe('readonly');
  });
});
