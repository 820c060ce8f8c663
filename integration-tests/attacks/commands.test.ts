/** Commands that start more processes than they should: all of them end with the program (row 29). */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { attack, callOnce } from './attack.js';

/** Compares the command line too, because process ids are reused. */
function isOurs(pid: number): boolean {
  try {
    return /chain\.sh|300\.2917/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}

const WAYS = [
  ['a pseudo-terminal', {}],
  ['pipes', { GEMINI_PTY_INFO: 'child_process' }],
] as const;
for (const [way, env] of WAYS) {
  attack(
    29,
    `a hundred children that ignore signals (${way})`,
    async (rig) => {
      const command =
        'for i in $(seq 100); do (trap \'\' TERM HUP INT; echo $BASHPID >> pids; exec sleep 300.2917) & done; until [ "$(wc -l < pids)" = 100 ]; do sleep 0.05; done';
      const { run } = await callOnce(rig, 'run_shell_command', { command }, { mode: 'yolo' });
      expect(run.exitCode, run.stderr).toBe(0);
      const pids = rig.read('pids').trim().split('\n').map(Number);
      expect(pids).toHaveLength(100);
      expect(pids.filter(isOurs)).toEqual([]);
    },
    { env },
  );
  attack(
    29,
    `a chain of children, each in a session of its own (${way})`,
    async (rig) => {
      rig.write(
        'chain.sh',
        'echo $$ >> pids\nif [ "$1" -gt 0 ]; then setsid bash chain.sh $(($1 - 1)) < /dev/null > /dev/null 2>&1 & fi\nsleep 300.2917\n',
      );
      const command = 'bash chain.sh 9 & until [ "$(wc -l < pids)" = 10 ]; do sleep 0.05; done';
      const { run } = await callOnce(rig, 'run_shell_command', { command }, { mode: 'yolo' });
      expect(run.exitCode, run.stderr).toBe(0);
      expect(rig.read('pids').trim().split('\n').map(Number).filter(isOurs)).toEqual([]);
    },
    { env },
  );
}
