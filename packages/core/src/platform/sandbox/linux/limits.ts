/** Shell scripts that set resource limits and then execute the sandboxed command. */
import type { SandboxLimits } from '../types.js';

/** Runs inside, where the kernel counts only this sandbox. If a limit cannot be set, the command does not run. */
export function limitScript(limits: SandboxLimits, limitsProcesses = true): string {
  const { maxProcesses, maxMemoryBytes, maxFileBytes, cpuSeconds } = limits;
  return [
    'ulimit -c 0',
    // bash and dash use different letters.
    ...(limitsProcesses ? [limit(['u', 'p'], processCount(maxProcesses))] : []),
    ...(maxMemoryBytes === undefined ? [] : [limit(['v'], whole(maxMemoryBytes / 1024))]),
    ...(maxFileBytes === undefined ? [] : [limit(['f'], whole(maxFileBytes / 512))]),
    ...(cpuSeconds === undefined ? [] : [limit(['t'], whole(cpuSeconds))]),
    'exec "$0" "$@"',
  ].join('\n');
}

/** Process ids that the kernel reserves. */
const RESERVED_IDS = 300;
const HIGHEST_ID = 2 ** 22;

/**
 * The kernel exempts root from the limit above. Since Linux 6.14 each process namespace has its own highest process
 * id; an outer namespace uses it to limit the sandbox.
 * @param outerNamespace of our own process, as `/proc/self/ns/pid` names it
 */
export function rootLimitScript({ maxProcesses }: SandboxLimits, outerNamespace: string): string {
  return [
    // If bwrap did not create a namespace, this would limit the whole machine permanently.
    `[ "$(readlink /proc/self/ns/pid)" != '${outerNamespace}' ] || exit 126`,
    `echo ${RESERVED_IDS + processCount(maxProcesses)} > /proc/sys/kernel/pid_max || exit 126`,
  ].join('\n');
}

/** An existing, stricter limit cannot be raised and need not be. */
function limit(letters: readonly string[], value: number): string {
  const set = letters.map((letter) => `ulimit -${letter} ${value} 2>/dev/null`);
  const get = letters.map((letter) => `ulimit -${letter} 2>/dev/null`).join(' || ');
  return `${set.join(' || ')} || [ "$(${get})" -le ${value} ] || exit 126`;
}

function processCount(value: number): number {
  return Math.min(whole(value), HIGHEST_ID - RESERVED_IDS - 1);
}

function whole(value: number): number {
  return Math.max(1, Math.min(Math.ceil(value), Number.MAX_SAFE_INTEGER));
}
