/**
 * One process, one session over an existing tree: the first scan, all contents copied, more commands, and an undo. Bundled by snapshot-rows.ts and laid beside the built worker; prints milliseconds as JSON.
 * Arguments: tree, store, files to change.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { SnapshotService } from '../packages/core/src/platform/snapshots/service.js';

const WARM_COMMANDS = 3;
const CALL = { callId: 'call', toolName: 'run_shell_command', promptId: 'prompt' };

const [, , tree = '', storeDir = '', listFile = ''] = process.argv;
const toChange = JSON.parse(readFileSync(listFile, 'utf8')) as string[];
const service = new SnapshotService({ storeDir, globalDir: storeDir, roots: [tree], maxBytes: 500_000_000 });

const idle = performance.eventLoopUtilization();
const cold = await timed(() => service.start());
const rest = await timed(() => service.beforeCommand(CALL));
const onMain = performance.eventLoopUtilization(idle).active;
if (rest.result.uncoveredCount > 0) throw new Error(`${rest.result.uncoveredCount} files were not copied`);
await service.afterCall(rest.result);

const warm: number[] = [];
for (let command = 0; command < WARM_COMMANDS; command++) {
  const before = await timed(() => service.beforeCommand(CALL));
  warm.push(before.ms);
  await service.afterCall(before.result);
}

const originals = toChange.map((path) => readFileSync(path));
const last = await service.beforeCommand(CALL);
for (const path of toChange) writeFileSync(path, 'changed');
const { changes } = await service.afterCall(last);
const undo = await timed(() => service.undo('last'));
const undone = undo.result.steps.filter(({ status }) => status === 'done').length;
const isBack = toChange.every((path, index) => originals[index]?.equals(readFileSync(path)));
if (changes.length !== toChange.length || undone !== toChange.length || !isBack)
  throw new Error(`of ${toChange.length} files ${changes.length} were seen to change, ${undone} were undone`);
await service.close();

console.log(
  JSON.stringify({
    cold: cold.ms,
    coldCpu: cold.cpu,
    contents: cold.ms + rest.ms,
    contentsCpu: cold.cpu + rest.cpu,
    onMain,
    warm,
    undo: undo.ms,
    undoCpu: undo.cpu,
  }),
);

/** Returns the elapsed time and the CPU time of all threads, which is independent of the machine's load. */
async function timed<T>(action: () => Promise<T>): Promise<{ result: T; ms: number; cpu: number }> {
  const before = process.cpuUsage();
  const started = performance.now();
  const result = await action();
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  return { result, ms, cpu: (user + system) / 1000 };
}
