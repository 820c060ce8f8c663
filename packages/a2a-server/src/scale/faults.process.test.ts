/**
 * Faults against a fleet under load: a short form here, the long one with `npm run test:faults`, which writes the table of
 * docs/scale.md. What must hold is asserted, how long it takes only reported.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Accepted, TaskService } from '../contract.js';
import { fillDiskAtEachStep } from '../local/full-disk.test-helper.js';
import { lines } from '../local/service-rig.test-helper.js';
import { TaskError } from '../task-error.js';
import { Fleet, type FleetMember, linesOf, readEvents } from './testing/fleet.test-helper.js';
import { doAsTold } from './testing/scripted-turns.test-helper.js';

const KILLS = Number(process.env['FAULT_KILLS'] ?? '4');
const STOPPED_S = Number(process.env['FAULT_STOPPED_SECONDS'] ?? '8');
const DATABASE_KILLS = Number(process.env['FAULT_DATABASE_KILLS'] ?? '1');
const DOCS = join(import.meta.dirname, '../../../../docs/scale.md');
/** On a machine that does other things, too. */
const PATIENCE = 180_000;
/** Then a task is stuck, and the test says where. */
const STUCK_MS = 120_000;

/** Results by fault. */
const table = new Map<string, string>();
let fleet: Fleet;
let api: TaskService;
let database: pg.Pool;
let load: Load;
let loads = 0;

/** A worker that takes no silent one for dead: a busy machine may not let one run for seconds. */
function patient(env: Record<string, string> = {}): Promise<FleetMember> {
  return fleet.worker([], { FLEET_LEASE_MS: String(STUCK_MS), ...env });
}

beforeAll(async () => {
  fleet = await Fleet.start();
  api = await fleet.api();
  database = new pg.Pool({ connectionString: fleet.url, max: 2 });
  database.on('error', () => undefined);
}, PATIENCE);

beforeEach(() => {
  load = new Load(`log-${++loads}`);
});

// A test that fails must not leave work to the next one.
afterEach(async () => {
  load.end();
  await Promise.all([...fleet.members].map((member) => fleet.kill(member)));
});

afterAll(async () => {
  await database.end();
  await fleet.stop();
  if (process.env['FAULT_TABLE'] === '1') writeTable();
});

/** Tasks that are sent one after the other, some at a time, until `stop`. */
class Load {
  readonly tasks: Promise<{ accepted: Accepted; events: string[]; ids: string[] }>[] = [];
  readonly log: string;
  private count = 0;
  private isStopped = false;
  private readonly senders: Promise<void>[] = [];

  constructor(private readonly name: string) {
    this.log = join(fleet.folder, name);
    fleet.model.otherwise(doAsTold({ log: this.log, seconds: 0.1, words: 5 }));
  }

  start(atOnce: number): void {
    for (let sender = 0; sender < atOnce; sender++) this.senders.push(this.send(sender));
  }

  end(): void {
    this.isStopped = true;
  }

  async stop() {
    this.end();
    const ended = Promise.all(this.senders).then(() => Promise.all(this.tasks));
    const timer = new AbortController();
    const stuck = sleep(STUCK_MS, undefined, { signal: timer.signal }).then(async () => {
      throw new Error(`Turns that do not end: ${await openTurns()}`);
    });
    stuck.catch(() => undefined);
    try {
      return await Promise.race([ended, stuck]);
    } finally {
      timer.abort();
    }
  }

  /** Commands that began more than once: none. */
  get repeated(): string[] {
    const begun = linesOf(this.log).filter((line) => line.startsWith('begin'));
    return begun.filter((line, index) => begun.indexOf(line) !== index);
  }

  get begun(): number {
    return linesOf(this.log).filter((line) => line.startsWith('begin')).length;
  }

  async one(calls: number) {
    const id = `${this.name}-${++this.count}`;
    const accepted = await this.accepted(fleet.message(`do ${id} ${calls}`));
    const read = readEvents(api, accepted.taskId, accepted.after).then((events) => ({
      accepted,
      events: lines(events),
      ids: events.map((event) => event.id),
    }));
    this.tasks.push(read);
    return read;
  }

  /** A client that is told that the database is away sends its message again. */
  private async accepted(message: Parameters<TaskService['send']>[0]): Promise<Accepted> {
    for (;;) {
      try {
        return await api.send(message);
      } catch (error) {
        if (!(error instanceof TaskError) || error.code !== 'unavailable') throw error;
      }
    }
  }

  private async send(sender: number): Promise<void> {
    for (let round = 0; !this.isStopped; round++) await this.one(1 + ((sender + round) % 3));
  }
}

function check(ended: Awaited<ReturnType<Load['stop']>>): void {
  for (const { events, ids } of ended) {
    expect(events.at(-1)).toBe('state-change input_required');
    expect(ids).toEqual(ids.map((_, index) => `1-${index + 1}`));
  }
  expect(load.repeated).toEqual([]);
}

function row(what: string, result: string): void {
  table.set(what, result);
  console.log(`| ${what} | ${result} |`);
}

/** The turns that a process works on. */
async function turnsOf({ child }: FleetMember): Promise<{ id: string; executor: string }[]> {
  const { rows } = await database.query<{ id: string; executor: string }>(
    `SELECT workflow_uuid AS id, executor_id AS executor FROM dbos.workflow_status
     WHERE status = 'PENDING' AND executor_id LIKE $1`,
    [`%-${child.pid}-%`],
  );
  return rows;
}

/** Milliseconds until every turn runs elsewhere or has ended. */
async function takenOver(turns: { id: string; executor: string }[]): Promise<number[]> {
  const started = performance.now();
  const times: number[] = [];
  let open = turns;
  while (open.length > 0) {
    const { rows } = await database.query<{ id: string }>(
      `SELECT workflow_uuid AS id FROM dbos.workflow_status
       WHERE workflow_uuid = ANY($1) AND (status = 'ENQUEUED' OR (status = 'PENDING' AND executor_id = $2))`,
      [open.map(({ id }) => id), open[0]?.executor],
    );
    const waiting = new Set(rows.map(({ id }) => id));
    for (const { id } of open) if (!waiting.has(id)) times.push(performance.now() - started);
    open = open.filter(({ id }) => waiting.has(id));
    if (open.length > 0) await sleep(10);
  }
  return times;
}

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
}

async function openTurns(): Promise<string> {
  const { rows } = await database.query(
    `SELECT t.task_id, t.attempt, t.owner, w.status, w.executor_id, w.recovery_attempts, w.error,
       e.id IS NOT NULL AS has_executor,
       (SELECT count(*)::int FROM gemini_a2a.event v WHERE v.task_id = t.task_id) AS events
     FROM gemini_a2a.turn t
     LEFT JOIN dbos.workflow_status w ON w.workflow_uuid = t.task_id || ':' || t.turn
     LEFT JOIN gemini_a2a.executor e ON e.id = w.executor_id
     WHERE t.ended_at IS NULL`,
  );
  return JSON.stringify(rows, undefined, 2);
}

it(
  'ends every task and begins no call twice while workers are killed at random moments',
  async () => {
    await Promise.all([patient(), patient(), patient()]);
    load.start(8);
    const times: number[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(200 + Math.random() * 600);
      const workers = [...fleet.members];
      const victim = workers[Math.floor(Math.random() * workers.length)];
      if (!victim) throw new Error('No worker is left.');
      const turns = await turnsOf(victim);
      await fleet.kill(victim);
      const [taken] = await Promise.all([takenOver(turns), patient()]);
      times.push(...taken);
    }
    const ended = await load.stop();
    check(ended);
    const interrupted = ended.filter(({ events }) =>
      events.includes('tool-call-update working error'),
    ).length;
    row(
      'kill -9 of a worker at random moments, 3 workers under load',
      `${KILLS} times: ${ended.length} of ${ended.length} tasks ended; ${times.length} turns interrupted; ` +
        `0 of ${load.begun} calls begun twice; ${interrupted} tasks with a call reported as interrupted; ` +
        `takeover p50 ${percentile(times, 0.5)}, p95 ${percentile(times, 0.95)}, max ${percentile(times, 1)} ms`,
    );
  },
  PATIENCE + KILLS * 20_000,
);

it(
  'fences a worker that was stopped and wakes up',
  async () => {
    // Only the other one may take a worker for dead.
    const [stopped] = await Promise.all([patient(), fleet.worker()]);
    load.start(3);
    while ((await turnsOf(stopped)).length === 0) await sleep(10);
    const turns = await turnsOf(stopped);
    stopped.child.kill('SIGSTOP');
    const started = performance.now();
    await takenOver(turns);
    const takeover = performance.now() - started;
    await sleep(Math.max(0, STOPPED_S * 1000 - (performance.now() - started)));
    stopped.child.kill('SIGCONT');
    expect(await stopped.ended).toBe(70);
    const ended = await load.stop();
    check(ended);
    row(
      'SIGSTOP of a worker, then SIGCONT',
      `${STOPPED_S} s: turns taken over after ${(takeover / 1000).toFixed(1)} s (lease 5 s); ` +
        `the woken worker recorded nothing, began nothing and ended with code 70; ` +
        `${ended.length} of ${ended.length} tasks ended, 0 of ${load.begun} calls begun twice`,
    );
  },
  PATIENCE + STOPPED_S * 1000,
);

it(
  'loses nothing when the database is killed',
  async () => {
    await Promise.all([patient(), patient()]);
    load.start(4);
    const downs: number[] = [];
    for (let kill = 0; kill < DATABASE_KILLS; kill++) {
      await sleep(1000);
      const started = performance.now();
      fleet.postgres.kill();
      await fleet.postgres.startAgain();
      downs.push(performance.now() - started);
      // So that work continues between two kills.
      await load.one(1);
    }
    const ended = await load.stop();
    check(ended);
    row(
      'kill -9 of PostgreSQL under load',
      `down for ${downs.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(', ')}: ${ended.length} of ${ended.length} tasks ended; all streams whole; 0 of ${load.begun} calls begun twice`,
    );
  },
  PATIENCE + DATABASE_KILLS * 60_000,
);

it(
  'continues a stream in another process when the one that shows it is killed',
  async () => {
    await fleet.worker();
    const { taskId, after } = await api.send(fleet.message('do stream 4'));
    const seen: string[] = [];
    let kills = 0;
    for (let last = after; !seen.includes('end'); last = seen.at(-1) ?? after) {
      const reader = fleet.reader(taskId, last);
      const isKilled = kills < 2;
      if (isKilled) {
        while (reader.lines.length < 2 && reader.child.exitCode === null) await sleep(5);
        await fleet.kill(reader);
        kills++;
      } else await reader.ended;
      seen.push(...reader.lines);
    }
    const ids = (await readEvents(api, taskId, after)).map(({ id }) => id);
    expect(seen.slice(0, -1)).toEqual(ids);
    row(
      'kill -9 of the process that shows a stream × 2',
      `continued in another one by the id of the last event: ${ids.length} of ${ids.length} events, in order, none twice`,
    );
  },
  PATIENCE,
);

it(
  'does not mind when the clock of a worker jumps',
  async () => {
    await Promise.all([patient({ FLEET_CLOCK_JUMPS: '1' }), patient({ FLEET_CLOCK_JUMPS: '1' })]);
    load.start(4);
    await sleep(3000);
    const ended = await load.stop();
    check(ended);
    expect(ended.some(({ events }) => events.includes('tool-call-update working error'))).toBe(false);
    row(
      'clocks of two workers jump by a day, back and forth, five times a second',
      `${ended.length} of ${ended.length} tasks ended, none interrupted`,
    );
  },
  PATIENCE,
);

it(
  'strands nothing when workers are replaced one after the other under load',
  async () => {
    // Longer than any turn takes on a busy machine.
    const start = () => patient({ FLEET_DRAIN_MS: String(STUCK_MS) });
    const old = await Promise.all([start(), start(), start()]);
    load.start(6);
    for (const worker of old) {
      await start();
      worker.child.kill('SIGTERM');
      expect(await worker.ended).toBe(0);
    }
    const ended = await load.stop();
    check(ended);
    const interrupted = ended.filter(({ events }) =>
      events.some((line) => line.includes('Continuing after an interruption')),
    );
    expect(interrupted).toEqual([]);
    row(
      'rolling upgrade: three workers replaced under load (SIGTERM)',
      `${ended.length} of ${ended.length} tasks ended, none interrupted, 0 of ${load.begun} calls begun twice`,
    );
  },
  PATIENCE,
);

it(
  'refuses or ends with an error what a full disk cannot keep, and continues later',
  async () => {
    const { refused, ended } = await fillDiskAtEachStep();
    row(
      'disk full in the folder store of a single server, at each step of a message in turn',
      `message refused at ${refused} steps, turn ended with an error at ${ended}; every task continued when there was space`,
    );
  },
  PATIENCE,
);

/** The results stand between two marks of the page; those of faults that were left out in this run stay. */
function writeTable(): void {
  const text = readFileSync(DOCS, 'utf8');
  const marked = /(<!-- faults -->\n)([\s\S]*?)(\n<!-- \/faults -->)/;
  const page = text.replace(marked, (_, before: string, old: string, after: string) => {
    const known = old.split('\n').flatMap((line) => /^\| (.+) \| (.+) \|$/.exec(line)?.slice(1, 3) ?? []);
    const rows = new Map<string, string>();
    for (let index = 2; index < known.length; index += 2)
      rows.set(known[index] ?? '', known[index + 1] ?? '');
    for (const [what, result] of table) rows.set(what, result);
    const lines = [...rows].map(([what, result]) => `| ${what} | ${result} |`);
    return before + ['| Fault | Result |', '|---|---|', ...lines].join('\n') + after;
  });
  writeFileSync(DOCS, page);
}
