/** Numbers of the system calls that a sandboxed command may not make, for each supported processor. */

export type SeccompArch = 'x64' | 'arm64';

export interface ArchTable {
  /** AUDIT_ARCH_* of the kernel. */
  audit: number;
  /** First number of the processor's second set of system calls (x32), if it has one. */
  foreignFrom?: number;
  clone: number;
  clone3: number;
  socket: number;
  socketpair: number;
  ioctl: number;
  /** Calls that set the mode of a file. */
  modes: readonly ModeCall[];
  /** Refused with "operation not permitted". */
  forbidden: Readonly<Record<string, number>>;
  /** Refused with "not implemented", so that programs fall back to other calls. */
  absent: Readonly<Record<string, number>>;
}

export interface ModeCall {
  number: number;
  /** Index of the mode argument. */
  mode: number;
  /** Index of the argument that says whether a file is created; absent: the mode always applies. */
  flags?: number;
}

/** Same numbers on every processor. */
const COMMON = {
  pidfd_getfd: 438,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  mount_setattr: 442,
  quotactl_fd: 443,
  open_tree_attr: 467,
};
/** Their arguments are in memory, which a filter cannot read. */
const UNSEEN = { io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, openat2: 437 };
const FCHMODAT2: ModeCall = { number: 452, mode: 2 };

export const ARCH_TABLES: Readonly<Record<SeccompArch, ArchTable>> = {
  x64: {
    audit: 0xc000003e,
    foreignFrom: 0x40000000,
    clone: 56,
    clone3: 435,
    socket: 41,
    socketpair: 53,
    ioctl: 16,
    modes: [
      { number: 2, mode: 2, flags: 1 }, // open
      { number: 257, mode: 3, flags: 2 }, // openat
      { number: 85, mode: 1 }, // creat
      { number: 90, mode: 1 }, // chmod
      { number: 91, mode: 1 }, // fchmod
      { number: 268, mode: 2 }, // fchmodat
      { number: 133, mode: 1 }, // mknod
      { number: 259, mode: 2 }, // mknodat
      FCHMODAT2,
    ],
    absent: UNSEEN,
    forbidden: {
      ...COMMON,
      ptrace: 101,
      syslog: 103,
      uselib: 134,
      ustat: 136,
      sysfs: 139,
      vhangup: 153,
      modify_ldt: 154,
      pivot_root: 155,
      _sysctl: 156,
      adjtimex: 159,
      chroot: 161,
      acct: 163,
      settimeofday: 164,
      mount: 165,
      umount2: 166,
      swapon: 167,
      swapoff: 168,
      reboot: 169,
      sethostname: 170,
      setdomainname: 171,
      iopl: 172,
      ioperm: 173,
      create_module: 174,
      init_module: 175,
      delete_module: 176,
      quotactl: 179,
      nfsservctl: 180,
      lookup_dcookie: 212,
      clock_settime: 227,
      kexec_load: 246,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      unshare: 272,
      move_pages: 279,
      perf_event_open: 298,
      name_to_handle_at: 303,
      open_by_handle_at: 304,
      clock_adjtime: 305,
      setns: 308,
      process_vm_readv: 310,
      process_vm_writev: 311,
      kcmp: 312,
      finit_module: 313,
      kexec_file_load: 320,
      bpf: 321,
      userfaultfd: 323,
    },
  },
  arm64: {
    audit: 0xc00000b7,
    clone: 220,
    clone3: 435,
    socket: 198,
    socketpair: 199,
    ioctl: 29,
    modes: [
      { number: 56, mode: 3, flags: 2 }, // openat
      { number: 52, mode: 1 }, // fchmod
      { number: 53, mode: 2 }, // fchmodat
      { number: 33, mode: 2 }, // mknodat
      FCHMODAT2,
    ],
    absent: UNSEEN,
    forbidden: {
      ...COMMON,
      lookup_dcookie: 18,
      umount2: 39,
      mount: 40,
      pivot_root: 41,
      nfsservctl: 42,
      chroot: 51,
      vhangup: 58,
      quotactl: 60,
      acct: 89,
      unshare: 97,
      kexec_load: 104,
      init_module: 105,
      delete_module: 106,
      clock_settime: 112,
      syslog: 116,
      ptrace: 117,
      reboot: 142,
      sethostname: 161,
      setdomainname: 162,
      settimeofday: 170,
      adjtimex: 171,
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      swapon: 224,
      swapoff: 225,
      move_pages: 239,
      perf_event_open: 241,
      name_to_handle_at: 264,
      open_by_handle_at: 265,
      clock_adjtime: 266,
      setns: 268,
      process_vm_readv: 270,
      process_vm_writev: 271,
      kcmp: 272,
      finit_module: 273,
      bpf: 280,
      userfaultfd: 282,
      kexec_file_load: 294,
    },
  },
};
