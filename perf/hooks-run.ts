/** Hooks as the engine fires them, against the same commands started alone. Bundled by hook-rows.ts; prints JSON. */
import { spawn } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { withModelHooks } from '../packages/core/src/agent/chat/hooked-generator.js';
import { createHookSystem } from '../packages/core/src/hooks/create.js';
import type { HookDefinition, HookEventName } from '../packages/core/src/hooks/types.js';
import type { GenerateRequest, GenerateResponse } from '../packages/core/src/model/content-generator.js';
import { MAIN_AGENT } from '../packages/core/src/protocol/agent-events.js';
import { noTelemetry } from '../packages/core/src/telemetry/record.js';

const [, , what = '', folder = '', count = '1'] = process.argv;
const OWN = "sleep 0.05; echo '{}'";
const TEN = Array.from({ length: 10 }, (_, index) => `sleep 0.3; echo '{}' # ${index}`);
const request: GenerateRequest = { model: 'm', messages: [], role: 'main', promptId: 'p' };
void main();

async function main(): Promise<void> {
  const measure = {
    one: oneHook,
    ten: tenHooks,
    parallel: parallelHooks,
    many: manyHooks,
    stream: longStream,
  }[what];
  if (!measure) throw new Error(`unknown: ${what}`);
  console.log(JSON.stringify(await measure(Number(count))));
}

/** What one hook adds to its own process, in turns with the process alone. */
async function oneHook(runs: number): Promise<number[]> {
  const { system } = await hooks({ BeforeTool: [group(OWN)] });
  const fire = () => timed(() => system.fireBeforeToolEvent({ name: 'read_file', args: { file_path: 'a' } }));
  return differences(runs, fire, () => timed(() => alone(OWN)));
}

/** What ten hooks side by side take more than one of their commands, which all take the same time, started alone. */
async function tenHooks(runs: number): Promise<number[]> {
  return differences(runs, await fireTen(), () => timed(() => alone(TEN[0] ?? '')));
}

/** What ten hooks side by side take more than the slowest of the same ten commands, started side by side alone. */
async function parallelHooks(runs: number): Promise<number[]> {
  return differences(runs, await fireTen(), () => timed(() => Promise.all(TEN.map(alone))));
}

async function fireTen(): Promise<() => Promise<number>> {
  const { system } = await hooks({ BeforeTool: TEN.map((command) => group(command)) });
  return () => timed(() => system.fireBeforeToolEvent({ name: 'read_file', args: {} }));
}

/** Hooks that do not match: time of an event, each for another tool. */
async function manyHooks(number: number): Promise<number[]> {
  const groups = Array.from({ length: number }, (_, index) => ({
    ...group(`exit ${index}`),
    matcher: `^write_${index}_.*$|replace_${index}`,
  }));
  const { system } = await hooks({ BeforeTool: groups });
  const times: number[] = [];
  for (let run = 0; run < 200; run++) {
    times.push(await timed(() => system.fireBeforeToolEvent({ name: `read_${run}`, args: {} })));
  }
  return times;
}

/** A stream with AfterModel on it: its time against that of the processes, and memory. */
async function longStream(chunks: number): Promise<{ ratio: number; processes: number; megabytes: number }> {
  const times: number[] = [];
  const { ports } = await hooks({ AfterModel: [group(OWN)] }, (ms) => times.push(ms));
  const never = () => Promise.reject(new Error('not used'));
  const unused = { generateContent: never, countTokens: never, embedContent: never };
  const generator = withModelHooks(
    { ...unused, generateContentStream: () => network(chunks) },
    { hooks: { afterModel: ports.configured.afterModel }, agent: MAIN_AGENT, joinsChunks: true },
  );
  const { signal } = new AbortController();
  const started = performance.now();
  const before = process.memoryUsage().rss;
  let length = 0;
  let peak = 0;
  for await (const chunk of generator.generateContentStream(request, signal)) {
    length += chunk.candidates?.[0]?.content?.parts?.[0]?.text?.length ?? 0;
    peak = Math.max(peak, process.memoryUsage().rss - before);
  }
  if (length !== chunks * 10) throw new Error(`lost text: ${length}`);
  const own = times.reduce((sum, ms) => sum + ms, 0);
  return {
    ratio: (100 * (performance.now() - started - own)) / own,
    processes: times.length,
    megabytes: peak / 2 ** 20,
  };
}

/** A chunk each millisecond, whether they are taken or not, as a socket delivers them. */
async function* network(chunks: number): AsyncGenerator<GenerateResponse> {
  const started = performance.now();
  for (let sent = 0; sent < chunks; sent++) {
    while (performance.now() - started < sent) await nextTurn();
    yield { candidates: [{ content: { role: 'model', parts: [{ text: 'x'.repeat(10) }] } }] };
  }
}

function group(command: string): HookDefinition {
  return { hooks: [{ type: 'command', command }] };
}

function hooks(
  definitions: Partial<Record<`${HookEventName}`, HookDefinition[]>>,
  onEnd?: (ms: number) => void,
) {
  const merged = { hooks: definitions } as never;
  const nothing = () => undefined;
  return createHookSystem({
    settings: {
      merged,
      layer: (scope) => (scope === 'user' ? merged : {}),
      onChange: () => nothing,
    },
    runtimeHooks: [],
    extensions: [],
    runner: {
      isTrusted: () => true,
      variables: process.env,
      settings: { environmentRedaction: { enabled: false, allowed: [], blocked: [] } },
      places: () => ({ projectDir: folder, cwd: folder, plansDir: undefined, sessionId: 's' }),
    },
    variables: process.env,
    session: () => ({ sessionId: 's', transcriptPath: '', cwd: folder }),
    globalDir: folder,
    projectRoot: folder,
    resolveModel: (name) => name,
    emit: (body) => {
      if (body.type === 'hook_finished') onEnd?.(body.durationMs);
    },
    notice: nothing,
    canAsk: () => false,
    showsRunning: () => false,
    redact: (text) => text,
    recorder: noTelemetry,
    now: Date.now,
  });
}

/** The same command as a program would start it that does nothing else. */
function alone(command: string): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', command], { cwd: folder, stdio: 'pipe' });
    child.stdin.on('error', () => undefined);
    child.stdin.end('{}');
    child.stdout.resume();
    child.stderr.resume();
    child.on('close', () => resolve());
  });
}

async function differences(
  runs: number,
  first: () => Promise<number>,
  second: () => Promise<number>,
): Promise<number[]> {
  await first();
  await second();
  const added: number[] = [];
  for (let run = 0; run < runs; run++) added.push(-(await second()) + (await first()));
  return added;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
