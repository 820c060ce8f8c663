/** The perl script that restricts itself with Landlock and seccomp and then executes the command. */
import type { SeccompArch } from '../linux/seccomp-syscalls.js';

/** Kernel 6.12. Earlier ones cannot block signals to other processes of the user. */
export const LEAST_ABI = 6;

const NUMBERS: Readonly<Record<SeccompArch, { prctl: number; capset: number; setsid: number }>> = {
  x64: { prctl: 157, capset: 126, setsid: 112 },
  arm64: { prctl: 167, capset: 91, setsid: 157 },
};

export interface LauncherRules {
  /** Files below these paths may be read and run. */
  readable: readonly string[];
  /** Devices that may be written. */
  devices: readonly string[];
}

export function launcherArguments(
  arch: SeccompArch,
  filterFile: string,
  { readable, devices }: LauncherRules,
  command: readonly string[],
): string[] {
  const { prctl, capset, setsid } = NUMBERS[arch];
  const counts = [String(readable.length), String(devices.length)];
  return [
    '-e',
    SCRIPT,
    '--',
    String(prctl),
    String(capset),
    String(setsid),
    filterFile,
    ...counts,
    ...readable,
    ...devices,
    ...command,
  ];
}

/**
 * The parent adopts and kills the processes that the command leaves behind. The child gives up privileges and
 * capabilities, sets the Landlock rules (only reading and running files is granted) and the seccomp filter.
 */
const SCRIPT = `
use strict;
my ($prctl, $capset, $setsid, $filter, $readable, $devices) = splice @ARGV, 0, 6;
my @readable = splice @ARGV, 0, $readable;
my @devices = splice @ARGV, 0, $devices;
$_ += 0 for $prctl, $capset, $setsid;
sub fail { print STDERR "landlock: $_[0]: $!\\n"; exit 126 }
syscall($prctl, 36, 1, 0, 0, 0) == 0 or fail('subreaper');
syscall($prctl, 1, 9, 0, 0, 0) == 0 or fail('parent');
my $child = fork;
defined $child or fail('fork');
if ($child) {
  $SIG{$_} = 'IGNORE' for qw(INT QUIT HUP);
  my $status;
  while ((my $gone = wait) > 0) {
    $status = $?;
    last if $gone == $child;
  }
  for (1 .. 1000) {
    open my $list, '<', "/proc/self/task/$$/children" or last;
    my @left = split ' ', <$list> // '';
    last unless @left;
    kill 'KILL', @left;
    waitpid -1, 0;
    1 while waitpid(-1, 1) > 0;
  }
  exit($status & 127 ? 128 + ($status & 127) : $status >> 8);
}
syscall($prctl, 1, 9, 0, 0, 0) == 0 or fail('parent');
# A process group can be killed in one call.
syscall($setsid) > 0 or fail('session');
my $abi = syscall(444, 0, 0, 1);
$abi >= ${LEAST_ABI} or fail("version $abi");
my $all = (1 << 16) - 1;
my $set = syscall(444, my $attributes = pack('QQQ', $all, 3, 3), 24, 0);
$set >= 0 or fail('rules');
sub grant {
  my ($path, $rights) = @_;
  sysopen(my $place, $path, 0x200000 | 0x80000) or return;
  $rights &= ~8 unless -d $place;
  syscall(445, $set, 1, my $rule = pack('Ql', $rights, fileno $place), 0) == 0 or fail($path);
}
grant('/', 8);
grant($_, 1 | 4 | 8) for @readable;
grant($_, 2 | 4 | (1 << 14) | (1 << 15)) for @devices;
open my $bytes, '<:raw', $filter or fail('filter');
my $program = do { local $/; <$bytes> };
close $bytes;
syscall($prctl, 38, 1, 0, 0, 0) == 0 or fail('privileges');
syscall($capset, my $head = pack('Ll', 0x20080522, 0), my $none = pack('L6', (0) x 6)) == 0 or fail('capabilities');
syscall(446, $set, 0) == 0 or fail('restrict');
my $code = pack('S x6 P', length($program) / 8, $program);
syscall($prctl, 22, 2, $code, 0, 0) == 0 or fail('filter');
exec { $ARGV[0] } @ARGV or fail('exec');
`;
