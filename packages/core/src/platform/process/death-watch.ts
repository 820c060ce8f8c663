/**
 * Ends process groups even if this program is killed with SIGKILL and cannot do it itself: a small shell waits for the
 * end of its input, which comes with the end of this program, and then ends the groups it was told about, on Linux also
 * daemons that left them, by the mark in their environment. It is started with the first group. Windows has no such
 * groups.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { programMark } from './child-registry.js';

/** Reads `+ <group>` and `- <group>`; the list is padded with spaces, so that 12 is not found in 123. */
const SCRIPT = `
groups=" $1 "
mark=$2
end() {
  for group in $groups; do kill -s "$1" -- "-$group" 2>/dev/null; done
  for file in $(grep -lsF -e "$mark" /proc/[0-9]*/environ); do
    file=\${file#/proc/}
    kill -s "$1" "\${file%/environ}" 2>/dev/null
  done
}
while read -r sign group; do
  case $sign in
    +) groups="$groups$group ";;
    -) case $groups in *" $group "*) groups="\${groups%% $group *} \${groups#* $group }";; esac;;
  esac
done
set -- $groups
[ $# -eq 0 ] && exit
end TERM
sleep 1
end KILL
`;

let watcher: ChildProcess | undefined;

/** Returns a function to call once the group has ended. */
export function killGroupAfterDeath(group: number): () => void {
  if (process.platform === 'win32') return () => undefined;
  // The first group is an argument: a kill between the start of the shell and a line to it would leave the group alive.
  if (watcher) tell(`+ ${group}`);
  else watcher = start(group);
  return () => tell(`- ${group}`);
}

function tell(line: string): void {
  watcher?.stdin?.write(`${line}\n`);
}

function start(group: number): ChildProcess {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', String(group), programMark()], {
    // Of its own session, so that it survives the signals of the terminal.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
  });
  // Without it everything works as long as the program can clean up itself.
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return child;
}
