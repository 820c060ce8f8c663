/** Takes turns from the queues of the database and runs them. One for a process, since DBOS has one state for it. */
import { hostname } from 'node:os';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { DBOSExecutor } from '@dbos-inc/dbos-sdk/internal/dbos-executor';
import { createLog } from '@gemini-cli/core';
import type { Pool } from 'pg';
import type { TurnRunner } from '../../contract.js';
import { dbosLog } from '../database/dbos-log.js';
import { APPLICATION, queuesFor, SHAPE, WORKFLOW, workflowIdOf } from '../queues.js';
import { Lease } from './lease.js';
import { Peers } from './peers.js';
import { Retention } from './retention.js';
import { TurnWorkflow } from './turn-workflow.js';

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
  ) {}

  static async start(options: WorkerOptions): Promise<Worker> {
    const { pool, url, runner, labels, poolSize, retentionMs } = options;
    // Unique for each start: a name that returns would look alive.
    const executorId = `${hostname()}-${process.pid}-${Date.now().toString(36)}`;
    const turns = new TurnWorkflow(pool, runner, () => options.onLost());
    const onLost = () => {
      turns.stop();
      options.onLost();
    };
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
      listenQueues: queuesFor(labels),
      runMigrations: false,
      tracingEnabled: false,
      logger: dbosLog,
    });
    await DBOS.launch();
    const peers = new Peers(pool, executorId, async (id) => {
      await DBOSExecutor.globalInstance?.recoverPendingWorkflows([id]);
    });
    return new Worker(executorId, turns, lease, peers, new Retention(pool, retentionMs));
  }

  get running(): number {
    return this.turns.count;
  }

  cancel(taskId: string): void {
    this.turns.cancel(taskId);
  }

  /** Takes no more turns, waits for those that run, and leaves the rest to other workers. */
  async close({ drainMs }: { drainMs: number }): Promise<void> {
    this.retention.close();
    await DBOS.shutdown({ workflowCompletionTimeoutMS: drainMs });
    await this.peers.close();
    const hasTurns = this.turns.count > 0;
    if (hasTurns) log.warn(`${this.turns.count} turns are left to other workers.`);
    this.turns.stop();
    await this.lease.release({ hasTurns });
  }
}
