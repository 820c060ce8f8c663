/**
 * The perl script that starts a restricted process and watches which files, programs and addresses it tries to use
 * (seccomp user notification). It only watches: every call continues, and the sandbox alone decides. It also leads
 * connections from the proxy's port to the proxy's socket.
 */
import { ARCH_TABLES, type SeccompArch } from '../linux/seccomp-syscalls.js';
import { PROXY_PORT, PROXY_SOCKET } from '../network/proxy-bridge.js';
import { PROGRAM_FOLDERS } from './system-folders.js';

/** Perl is opened outside, so that it is not among the programs that the process sees. */
export const OBSERVER_PROGRAM = '/proc/self/fd/8';

/** How the arguments of a watched call are read: index of the folder, the path and the flags; `-` for none. */
const WATCHED: Readonly<Record<SeccompArch, readonly string[]>> = {
  x64: [
    ...['2:open:-:0:1', '257:open:0:1:2', '437:open2:0:1:2', '85:write:-:0:-', '76:write:-:0:-'],
    ...['59:run:-:0:-', '322:run:0:1:-', '4:look:-:0:-', '262:look:0:1:-', '42:connect:-:1:2'],
    ...['83:write:-:0:-', '258:write:0:1:-', '87:write:-:0:-', '84:write:-:0:-', '263:write:0:1:-'],
    ...['82:write:-:1:-', '264:write:2:3:-', '316:write:2:3:-'],
  ],
  arm64: [
    ...[
      '56:open:0:1:2',
      '437:open2:0:1:2',
      '45:write:-:0:-',
      '221:run:-:0:-',
      '281:run:0:1:-',
      '79:look:0:1:-',
    ],
    ...['203:connect:-:1:2', '34:write:0:1:-', '35:write:0:1:-', '38:write:2:3:-', '276:write:2:3:-'],
  ],
};

const NUMBERS: Readonly<Record<SeccompArch, string>> = {
  x64: 'prctl 157 seccomp 317 clone 56 ioctl 16 access 269',
  arm64: 'prctl 167 seccomp 277 clone 220 ioctl 29 access 48',
};

/** Arguments for perl; the command follows. */
export function observerArguments(arch: SeccompArch, path: string | undefined): string[] {
  const searched = [...new Set([...PROGRAM_FOLDERS, ...(path ?? '').split(':').filter(Boolean)])];
  const words = [NUMBERS[arch], String(ARCH_TABLES[arch].audit), WATCHED[arch].join(' ')];
  return ['-e', SCRIPT, '--', ...words, String(PROXY_PORT), PROXY_SOCKET, searched.join(':')];
}

const SCRIPT = String.raw`
use strict;
use Socket;
my ($numbers, $audit, $watched, $port, $proxy, $searched) = splice @ARGV, 0, 6;
my %n = split ' ', $numbers;
$_ += 0 for values %n;
my %searched = map { $_ => 1 } split /:/, $searched;
my %calls;
for (split ' ', $watched) { my ($nr, @how) = split /:/; $calls{$nr} = \@how }
sub fail { print STDERR "sandbox: the observer cannot start: $_[0]: $!\n"; exit 126 }
open my $report, '>>&=', 7 or fail('report');
open my $filter, '<&=', 6 or fail('filter');
open my $self, '<&=', 8 or fail('program');
# Only for us: the process must not inherit the report or find the program in /proc.
fcntl $_, 2, 1 for $report, $filter, $self;
syscall($n{prctl}, 36, 1, 0, 0, 0) == 0 or fail('subreaper');
syscall($n{prctl}, 4, 0, 0, 0, 0) == 0 or fail('dumpable');
socket my $door, PF_INET, SOCK_STREAM, 0 or fail('socket');
setsockopt $door, SOL_SOCKET, SO_REUSEADDR, 1;
bind $door, sockaddr_in($port, inet_aton('127.0.0.1')) or fail('port');
listen $door, 64 or fail('listen');
my $program = pack('SCCL', 0x20, 0, 0, 4) . pack('SCCL', 0x15, 1, 0, $audit) . pack('SCCL', 6, 0, 0, 0x7fff0000);
$program .= pack('SCCL', 0x20, 0, 0, 0);
$program .= pack('SCCL', 0x15, 0, 1, $_) . pack('SCCL', 6, 0, 0, 0x7fc00000) for keys %calls;
$program .= pack('SCCL', 6, 0, 0, 0x7fff0000);
# The second filter forbids unix sockets: we need one for the proxy, the process could reach other programs.
binmode $filter;
my $closed = do { local $/; <$filter> };
length $closed or fail('filter');
pipe my $from, my $to or fail('pipe');
# The descriptors are shared until the child executes its command: so we get the one that watches it.
my $child = syscall($n{clone}, 0x400 | 17, 0, 0, 0, 0);
$child >= 0 or fail('clone');
if ($child == 0) {
  my $strict = pack('S x6 P', length($closed) / 8, $closed);
  my $listener = syscall($n{seccomp}, 1, 0, $strict);
  $listener = syscall($n{seccomp}, 1, 8, my $code = pack('S x6 P', length($program) / 8, $program)) if $listener == 0;
  syswrite $to, pack('l', $listener);
  $listener >= 0 or fail('seccomp');
  exec { $ARGV[0] } @ARGV or fail('exec');
}
sysread $from, my $bytes, 4;
my $listener = unpack 'l', $bytes;
if ($listener < 0) { waitpid $child, 0; exit 126 }
my (%told, $lines);
pipe my $ended, my $wake or fail('pipe');
$SIG{CHLD} = sub { syswrite $wake, 'x' };
while (1) {
  my $wanted = '';
  vec($wanted, $_, 1) = 1 for $listener, fileno($ended), fileno($door);
  my $count = select(my $ready = $wanted, undef, undef, undef);
  next if $count <= 0;
  observe() if vec($ready, $listener, 1);
  relay() if vec($ready, fileno $door, 1);
  next unless vec($ready, fileno $ended, 1);
  sysread $ended, my $drained, 256;
  while ((my $gone = waitpid -1, 1) > 0) {
    my $status = $?;
    exit($status & 127 ? 128 + ($status & 127) : $status >> 8) if $gone == $child;
  }
}
sub observe {
  my $call = "\0" x 80;
  return if syscall($n{ioctl}, $listener, 0xC0502100, $call) != 0;
  my ($id, $pid, undef, $nr, undef, undef, @a) = unpack 'QLLlLQQ6', $call;
  my ($kind, $folder, $path, $flags) = @{ $calls{$nr} || ['none'] };
  my ($text, $base, $bits) = ('', undef, 0);
  if ($kind ne 'none' && open my $memory, '<:raw', "/proc/$pid/mem") {
    $text = bytes_at($memory, $a[$path], $kind eq 'connect' ? 28 : 4096);
    $bits = $kind eq 'open2' ? unpack('Q', bytes_at($memory, $a[$flags], 8) . "\0" x 8) : $flags eq '-' ? 0 : $a[$flags];
    if ($kind ne 'connect') {
      $text =~ s/\0.*//s;
      my $fd = $folder eq '-' ? 0xffffff9c : $a[$folder] & 0xffffffff;
      $base = readlink($fd == 0xffffff9c ? "/proc/$pid/cwd" : "/proc/$pid/fd/$fd") if $text ne '' && $text !~ m{^/};
    }
  }
  # The process continues; what it tried is judged meanwhile.
  my $answer = pack('QqlL', $id, 0, 0, 1);
  syscall($n{ioctl}, $listener, 0xC0182101, $answer);
  if ($kind eq 'connect') { address($text) }
  elsif ($text ne '') { judge($kind, $text =~ m{^/} ? $text : ($base // '') . "/$text", $bits) }
}
sub bytes_at {
  my ($memory, $at, $length) = @_;
  my $text = '';
  sysseek $memory, $at, 0;
  sysread $memory, $text, $length;
  return $text // '';
}
sub can { my ($path, $mode) = @_; return syscall($n{access}, -100, "$path", $mode, 0) == 0 }
sub judge {
  my ($kind, $path, $bits) = @_;
  return if $path =~ m{^/(?:proc|sys|dev)(?:/|$)};
  if ($kind eq 'run') { note('run', $path) unless can($path, 1) }
  elsif ($kind eq 'look') {
    my ($folder) = $path =~ m{^(.*)/[^/]+$};
    note('look', $path) if $searched{$folder // ''} && !can($path, 0);
  }
  elsif ($kind eq 'write' || $bits & 01103) {
    return if can($path, 2);
    my ($folder) = $path =~ m{^(.*)/[^/]*$};
    note('write', $path) unless !can($path, 0) && can($folder eq '' ? '/' : $folder, 2);
  }
  else { note('read', $path) unless can($path, 4) }
}
sub address {
  my ($family, $number, $rest) = unpack 'Sna*', $_[0] . "\0" x 28;
  my $host = $family == 2 ? join('.', unpack 'C4', $rest) : $family == 10 ? '[' . join(':', map { sprintf '%x', $_ } unpack 'x4n8', $rest) . ']' : return;
  return if $number == 0;
  my $hex = sprintf ':%04X', $number;
  for my $table ('/proc/net/tcp', '/proc/net/tcp6') {
    open my $list, '<', $table or next;
    while (<$list>) { my (undef, $local, undef, $state) = split ' '; return if $state eq '0A' && substr($local, -5) eq $hex }
  }
  note('connect', "$host:$number");
}
sub note {
  my ($kind, $what) = @_;
  $what =~ s/[\x00-\x1f\x7f]/?/g;
  return if $told{"$kind $what"}++ || ++$lines > 500;
  syswrite $report, "$kind\t$what\n";
}
sub relay {
  accept my $client, $door or return;
  my $pid = fork;
  return if !defined $pid || $pid;
  $SIG{CHLD} = 'DEFAULT';
  socket my $server, PF_UNIX, SOCK_STREAM, 0 or exit 1;
  connect $server, sockaddr_un($proxy) or exit 1;
  my %other = (fileno($client) => [$client, $server], fileno($server) => [$server, $client]);
  while (%other) {
    my $wanted = '';
    vec($wanted, $_, 1) = 1 for keys %other;
    next if select(my $ready = $wanted, undef, undef, undef) <= 0;
    for my $fd (keys %other) {
      next unless vec($ready, $fd, 1);
      my ($source, $target) = @{ $other{$fd} };
      my $length = sysread $source, my $data, 65536;
      if (!$length) { shutdown $target, 1; delete $other{$fd}; next }
      for (my $sent = 0; $sent < $length; ) {
        my $part = syswrite $target, $data, $length - $sent, $sent;
        exit 0 unless defined $part;
        $sent += $part;
      }
    }
  }
  exit 0;
}
`;
