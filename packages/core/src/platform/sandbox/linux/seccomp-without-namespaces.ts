/** System calls that are harmless inside namespaces and must be refused without them (Landlock). */
import type { SeccompArch } from './seccomp-syscalls.js';

interface SyscallTable {
  /** Allowed for the calling process only. */
  prlimit: number;
  forbidden: readonly number[];
}

/** fchmodat2, setxattrat, removexattrat, file_setattr: the same numbers on every processor. */
const COMMON = [452, 463, 466, 469];

export const WITHOUT_NAMESPACES: Readonly<Record<SeccompArch, SyscallTable>> = {
  x64: {
    prlimit: 302,
    forbidden: [
      ...COMMON,
      // chmod, fchmod, chown, fchown, lchown, fchownat, fchmodat: Landlock does not cover owners and modes.
      ...[90, 91, 92, 93, 94, 260, 268],
      // utime, utimes, futimesat, utimensat
      ...[132, 235, 261, 280],
      // setxattr, lsetxattr, fsetxattr, removexattr, lremovexattr, fremovexattr
      ...[188, 189, 190, 197, 198, 199],
      // System V memory, semaphores and messages; POSIX queues
      ...[29, 30, 31, 64, 65, 66, 68, 69, 70, 71, 220, 240, 241],
      // setpriority, sched_setparam, sched_setscheduler, sched_setaffinity, ioprio_set, migrate_pages, sched_setattr
      ...[141, 142, 144, 203, 251, 256, 314],
    ],
  },
  arm64: {
    prlimit: 261,
    forbidden: [
      ...COMMON,
      // fchmod, fchmodat, fchownat, fchown
      ...[52, 53, 54, 55],
      // utimensat
      88,
      // setxattr, lsetxattr, fsetxattr, removexattr, lremovexattr, fremovexattr
      ...[5, 6, 7, 14, 15, 16],
      ...[180, 181, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196],
      // ioprio_set, sched_setparam, sched_setscheduler, sched_setaffinity, setpriority, migrate_pages, sched_setattr
      ...[30, 118, 119, 122, 140, 238, 274],
    ],
  },
};
