/** Opens the service over PostgreSQL. Read only where `CODER_AGENT_DATABASE_URL` is set: it loads DBOS and the driver. */
import { DBOSClient } from '@dbos-inc/dbos-sdk';
import { createLog, killAllChildren, UserError } from '@gemini-cli/core';
import pg from 'pg';
import type { TaskDescription, TaskService, TurnRunner } from '../contract.js';
import type { PushStore } from '../push/push-store.js';
import { DatabasePushStore } from './api/push-rows.js';
import { type ScaledLimits, ScaledTaskService } from './api/scaled-service.js';
import { connection } from './database/connection.js';
import { dbosLog } from './database/dbos-log.js';
import { Listener } from './database/listener.js';
import { migrate } from './database/migrate.js';
import { whileAway } from './database/retry.js';
import { APPLICATION, MAX_LABELS, queueOf, queuesFor } from './queues.js';
import { Worker } from './worker/worker.js';

export type ScaleRole = 'all' | 'api' | 'worker';

export interface ScaledServiceOptions {
  /** `postgres://…`; transaction pools (PgBouncer) do not work, since locks and notifications need sessions. */
  url: string;
  role: ScaleRole;
  /** Of this worker: it serves tasks that ask for some or all of them, and tasks that ask for none. */
  labels?: readonly string[];
  runner: TurnRunner & { describe?(taskId: string): TaskDescription | undefined };
  /** Turns at the same time in this process, and in all other workers of its queues. */
  concurrency?: number;
  /** How often an idle worker looks for turns. */
  pollMs?: number;
  /** Connections of each of the two pools of this process; two more are kept for themselves. */
  poolSize?: number;
  /** How long events of ended turns are kept. */
  retentionMs?: number;
  /** A worker whose beat stands still for so long is dead for this one. */
  leaseMs?: number;
  limits?: ScaledLimits;
  /** Other workers have taken this one for dead. Absent: its children are killed and the process ends with code 70. */
  onLost?: () => void;
}

export interface ScaledService {
  service: TaskService;
  pushStore: PushStore;
}

/** The limit of a queue is the same for all its workers: the one that was started last decides. */
type QueueConflict = 'never_update' | 'always_update';

const CONCURRENCY = 10;
const POLL_MS = 50;
const POOL_SIZE = 5;
const RETENTION_MS = 24 * 60 * 60_000;
/** A database that starts together with us. */
const START_MS = 30_000;
const EXIT_LOST = 70;

const log = createLog('a2a');

/** @throws UserError when the database cannot be used */
export async function openScaledService(options: ScaledServiceOptions): Promise<ScaledService> {
  const { url, role, labels = [], runner, limits } = options;
  if (labels.length > MAX_LABELS) throw new UserError(`A worker may have at most ${MAX_LABELS} labels.`);
  const { concurrency = CONCURRENCY, pollMs = POLL_MS, poolSize = POOL_SIZE } = options;
  const { retentionMs = RETENTION_MS, leaseMs, onLost = exitLost } = options;
  const pool = new pg.Pool({ ...connection(url, role), max: poolSize });
  pool.on('error', (error) => log.debug('an idle connection broke', error));
  // One that is in use tells its query; without a listener of its own it would end the process as well.
  pool.on('connect', (client) => client.on('error', (error) => log.debug('a connection broke', error)));
  let worker: Worker | undefined;
  try {
    await whileAway(() => migrate(pool, url), { forMs: START_MS });
    const client = await DBOSClient.create({
      systemDatabaseUrl: url,
      systemDatabasePool: pool,
      applicationName: APPLICATION,
      logger: dbosLog,
    });
    const addQueue = async (name: string, workerConcurrency: number, onConflict: QueueConflict) => {
      await client.registerQueue(name, {
        onConflict,
        partitionConcurrency: 1,
        workerConcurrency,
        minPollingIntervalMs: pollMs,
      });
    };
    const listener = await Listener.open(url, (taskId) => worker?.cancel(taskId));
    if (role !== 'api') {
      await addQueue(queueOf(), concurrency, 'always_update');
      const served = new Set(queuesFor(labels));
      for (const { name } of await client.listQueues())
        if (served.has(name)) await addQueue(name, concurrency, 'always_update');
      const times = { retentionMs, ...(leaseMs !== undefined && { leaseMs }) };
      worker = await Worker.start({ pool, url, runner, labels, poolSize, ...times, onLost });
    }
    const service = new ScaledTaskService({
      pool,
      client,
      listener,
      runner,
      worker,
      // With the limit of the workers: this queue did not exist when they started.
      addQueue: async (name) => {
        const known = (await client.listQueues()).find((queue) => queue.name === queueOf());
        await addQueue(name, known?.workerConcurrency ?? concurrency, 'never_update');
      },
      ...(limits && { limits }),
    });
    return { service, pushStore: new DatabasePushStore(pool) };
  } catch (error) {
    await pool.end().catch(() => undefined);
    throw error;
  }
}

/** Its turns run elsewhere by now: whatever it still does would be done twice. */
function exitLost(): void {
  killAllChildren();
  process.exit(EXIT_LOST);
}
