/** The program: opens the store and the service, serves until it is told to stop, lets turns end. */
import { codeOf, FatalConfigError, killAllChildren, type Variables } from '@gemini-cli/core';
import { type App, startApp } from './app.js';
import { ServerConfig } from './commands/server-config.js';
import type { TaskService } from './contract.js';
import { ServerLog } from './operations/logs.js';
import type { PushStore } from './push/push-store.js';
import { readSettings, type ServerSettings } from './settings.js';
import { openStores } from './stores/open-stores.js';

export interface ServerIo {
  /** With its line ends. */
  stdout(text: string): void;
  stderr(line: string): void;
}

const HELP = `Usage: gemini a2a-server [flags]

Serves the agent to other programs over A2A (protocol 0.3 and 1.0), with a page at /ui.

  --port <number>              port (CODER_AGENT_PORT; any free one)
  --role all|api|worker        with a database: what this process does (all)
  --labels <a,b>               with a database: tasks that ask for labels run on workers that have them
  --help                       this text

Tasks are kept in memory; with CODER_AGENT_TASK_DIR in a folder, with GCS_BUCKET_NAME in Cloud Storage, with
CODER_AGENT_DATABASE_URL in PostgreSQL. CODER_AGENT_AUTH_TOKEN or CODER_AGENT_BASIC_AUTH protect the server. All
variables are in docs/a2a-server.md.`;

/** @returns the exit code, when the server was stopped */
export async function runServer(
  args: readonly string[],
  io: ServerIo,
  env: Variables,
  cwd: string,
): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    io.stdout(`${HELP}\n`);
    return 0;
  }
  const settings = readSettings(args, env, cwd);
  const serverLog = new ServerLog(settings.logLevel, process.stderr, env);
  serverLog.takeAll();
  // From the beginning: a signal while it starts must not be lost.
  const stop = stopSignal();
  const server = await startServer(settings, env, cwd);
  io.stdout(`The A2A server listens on ${server.app.url}\n`);
  serverLog.info('a2a-server', 'started', {
    url: server.app.url,
    role: settings.role,
    store: settings.store.kind,
  });
  const reason = await stop;
  serverLog.info('a2a-server', 'stopping', { reason });
  await server.close(settings.drainMs);
  return 0;
}

export interface RunningServer {
  app: App;
  close(drainMs: number): Promise<void>;
}

async function startServer(settings: ServerSettings, env: Variables, cwd: string): Promise<RunningServer> {
  const { service, pushStore } = await openService(settings, env, cwd);
  const { workspace, publicUrl } = settings;
  const config = new ServerConfig({ workspace: workspace ?? cwd, env });
  try {
    const app = await startApp({
      service,
      pushStore,
      proxies: { variables: env },
      host: settings.host,
      port: settings.port,
      ...(publicUrl !== undefined && { publicUrl }),
      ...(workspace !== undefined && { workspace }),
      credentials: settings.credentials,
      limits: settings.limits,
      isWorkerOnly: settings.role === 'worker',
      config: () => config.get(),
    });
    return {
      app,
      async close(drainMs) {
        await app.close({ drainMs });
        await config.close();
        killAllChildren();
      },
    };
  } catch (error) {
    await service.close({ drainMs: 0 });
    throw error;
  }
}

interface OpenedService {
  service: TaskService;
  pushStore: PushStore;
}

async function openService(settings: ServerSettings, env: Variables, cwd: string): Promise<OpenedService> {
  const { createTurnRunner } = await import('./turns/turn-runner.js');
  const { workspace, store, limits } = settings;
  const runner = createTurnRunner({ env, cwd, ...(workspace !== undefined && { workspaceRoot: workspace }) });
  if (store.kind === 'database') {
    const { openScaledService } = await import('./scale/open-scaled-service.js').catch(explainMissing);
    const { role, labels } = settings;
    const concurrency = limits.runningTasks;
    const maxTasks = limits.tasks;
    return openScaledService({
      url: store.url,
      role,
      labels,
      runner,
      ...(concurrency !== undefined && { concurrency }),
      ...(maxTasks !== undefined && { limits: { maxTasks } }),
    });
  }
  const stores = await openStores(store, env, { cwd, ...(workspace !== undefined && { root: workspace }) });
  const { openLocalService } = await import('./local/local-service.js');
  const { runningTasks: maxRunning, tasks: maxTasks } = limits;
  const service = await openLocalService({
    store: stores.tasks,
    runner,
    limits: {
      ...(maxRunning !== undefined && { maxRunning }),
      ...(maxTasks !== undefined && { maxTasks }),
    },
  });
  return { service, pushStore: stores.push };
}

/** The package of the terminal program comes without the driver of the database. */
function explainMissing(error: unknown): never {
  const code = codeOf(error);
  if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_MODULE_NOT_FOUND') throw error;
  throw new FatalConfigError(
    'CODER_AGENT_DATABASE_URL is set, and this installation cannot use PostgreSQL. Install @gemini-cli/a2a-server and run gemini-cli-a2a-server.',
  );
}

function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      process.once(name, () => {
        // The second one does not wait for turns.
        process.once(name, () => process.exit(130));
        resolve(name);
      });
    }
  });
}
