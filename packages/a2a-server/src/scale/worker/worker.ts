/** Takes turns from the queues of the database and runs them. One for a process, since DBOS has one state for it. */
import { hostname } from 'node:os';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { DBOSExecutor } from '@dbos-inc/dbos-sdk/internal/dbos-executor';
import { createLog, messageOf } from '@gemini-cli/core';
import type { Pool } from 'pg';
import type { TurnRunner } from '../../contract.js';
import { dbosLog } from '../database/dbos-log.js';
import { APPLICATION, queuesFor, SHAPE, WORKFLOW, workflowIdOf } from '../queues.js';
import { watchClock } from './clock-watch.js';
import { Lease } from './lease.js';
import { Peers } from './peers.js';
import { Retention } from './retention.js';
import { TurnWorkflow } from './turn-workflow.js';
import { UnstartedTurns } from './unstarted-turns.js';

const log = createLog('a2a');

/** Far more than our own limit, which ends a turn in an orderly way. */
const MAX_RECOVERIES = 1_000_000;

export interface WorkerOptions {
  pool: Pool;
  url: string;
  runner: TurnRunner;
  labels: readonly string[];
  poolSize: number;
  retentionMs: number;
  /** A worker whose beat stands still for so long is dead for this one. */
  leaseMs?: number;
  /** Other workers have taken this one for dead and continue its turns. */
  onLost: () => void;
}

export class Worker {
  private constructor(
    readonly executorId: string,
    private readonly turns: TurnWorkflow,
    private readonly lease: Lease,
    private readonly peers: Peers,
    private readonly retention: Retention,
    private readonly unstarted: UnstartedTurns,
    private readonly stopWatching: () => void,
  ) {}

  static async start(options: WorkerOptions): Promise<Worker> {
    const { pool, url, runner, labels, poolSize, retentionMs, leaseMs } = options;
    // Unique for each start: a name that returns would look alive.
    const executorId = `${hostname()}-${process.pid}-${Date.now().toString(36)}`;
    const turns = new TurnWorkflow(pool, runner, () => options.onLost());
    const onLost = () => {
      turns.stop();
      options.onLost();
    };
    const listenQueues = queuesFor(labels);
    const lease = await Lease.take(url, { executorId, labels, onLost });
    DBOS.registerWorkflow(
      (taskId: string, turn: number) => turns.run({ taskId, turn }, workflowIdOf(taskId, turn), executorId),
      { name: WORKFLOW, maxRecoveryAttempts: MAX_RECOVERIES },
    );
    DBOS.setConfig({
      name: APPLICATION,
      systemDatabaseUrl: url,
      systemDatabasePoolSize: poolSize,
      applicationVersion: SHAPE,
      enablePatching: true,
      executorID: executorId,
      listenQueues,
      runMigrations: false,
      tracingEnabled: false,
      logger: dbosLog,
    });
    await DBOS.launch();
    const unstarted = new UnstartedTurns({
      pool,
      executorId,
      isRunning: (id) => DBOSExecutor.globalInstance?.systemDatabase.checkForRunningWorkflow(id) ?? true,
    });
    const stopWatching = watchClock(() => lookAgain(listenQueues));
    const peers = new Peers(pool, executorId, { ...(leaseMs !== undefined && { leaseMs }) });
    return new Worker(
      executorId,
      turns,
      lease,
      peers,
      new Retention(pool, retentionMs),
      unstarted,
      stopWatching,
    );
  }

  get running(): number {
    return this.turns.count;
  }

  cancel(taskId: string): void {
    this.turns.cancel(taskId);
  }

  /** Takes no more turns, waits for those that run, and leaves the rest to other workers. */
  async close({ drainMs }: { drainMs: number }): Promise<void> {
    this.stopWatching();
    this.retention.close();
    await DBOS.shutdown({ workflowCompletionTimeoutMS: drainMs });
    await this.unstarted.close();
    await this.peers.close();
    if (this.turns.count > 0) log.warn(`${this.turns.count} turns are left to other workers.`);
    this.turns.stop();
    await this.lease.release();
  }
}

/** DBOS sleeps until a moment that lies far ahead now: its loop begins anew. */
async function lookAgain(listenQueues: string[]): Promise<void> {
  const executor = DBOSExecutor.globalInstance;
  if (!executor?.initialized) return;
  log.warn('The clock was set back; the queues are looked at again.');
  try {
    await executor.deactivateEventReceivers();
    await executor.stopWorkflowTimeoutSweep();
    if (executor.initialized) await executor.initEventReceivers(listenQueues);
  } catch (error) {
    log.warn(`The queues could not be looked at again: ${messageOf(error)}`);
  }
}
