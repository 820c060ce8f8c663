/** Messages for the user when this Linux machine cannot isolate commands: why, and what to do. */
import type { SandboxCheck } from '../types.js';
import type { ProbeFailure } from './isolation-probe.js';

export interface Refusal {
  ok: false;
  reason: string;
  remedy: string;
}

export const NO_BWRAP: Refusal = {
  ok: false,
  reason: 'Commands cannot be sandboxed: bubblewrap (bwrap) is not installed.',
  remedy: 'Install it (apt, dnf, pacman or apk: package bubblewrap).',
};

export const UNKNOWN_PROCESSOR: Refusal = {
  ok: false,
  reason: `Commands cannot be sandboxed: the system calls of this processor (${process.arch}) are not known.`,
  remedy: 'Run the program in a container.',
};

/** The user has enabled this sandbox and can also disable it. */
export function withDisableHint(check: SandboxCheck): SandboxCheck {
  if (check.ok) return check;
  return { ...check, remedy: `${check.remedy} Or disable security.toolSandboxing.` };
}

export const ROOT_NOTE =
  'You are root, and this kernel (before 6.14, or without the right to make namespaces) does not limit how many processes root starts: a fork bomb is not stopped.';

export const OLD_KERNEL_NOTE =
  'This kernel (before 5.14) cannot limit how many processes one command starts: a fork bomb is not stopped.';

/** Adds a remedy to the message of bubblewrap. */
export function refusalOf({ reason, detail }: ProbeFailure): Refusal {
  const [first = ''] = detail.split('\n');
  const said = first ? ` (${first.slice(0, 300)})` : '';
  if (isNamespaceDenial(detail)) {
    return {
      ok: false,
      reason: `Commands cannot be sandboxed: the kernel does not allow user namespaces${said}.`,
      remedy:
        'Allow them: sysctl kernel.unprivileged_userns_clone=1 (Debian), user.max_user_namespaces above 0, ' +
        'kernel.apparmor_restrict_unprivileged_userns=0 or an AppArmor profile for bwrap (Ubuntu); in a container ' +
        'its seccomp profile must allow them.',
    };
  }
  return {
    ok: false,
    reason: `Commands cannot be sandboxed: bubblewrap was tried out, and ${reason}${said}.`,
    remedy: 'Check the program bwrap on this machine (bwrap --version).',
  };
}

function isNamespaceDenial(detail: string): boolean {
  return /namespace|uid map|uid_map|clone|unshare|setting up (?:uid|gid)|Failed to make \/ slave|Can't mount proc/i.test(
    detail,
  );
}
