/** Puts the server together: a service of tasks, the protocol over it, the page, operations. */
import { messageOf, type ProxySource, VERSION } from '@gemini-cli/core';
import { systemClock } from '@gemini-cli/core/server';
import type { CommandContext } from './commands/command.js';
import { commandRoutes } from './commands/routes.js';
import type { TaskService } from './contract.js';
import type { Route } from './http/exchange.js';
import { DEFAULT_LIMITS, DEFAULT_TIMES, type ServerLimits, type ServerTimes } from './http/limits.js';
import { HttpServer } from './http/server.js';
import { Metrics } from './operations/metrics.js';
import { operationRoutes } from './operations/routes.js';
import { pageRoutes } from './page/routes.js';
import { coreCard } from './protocol/card.js';
import { ExtensionMethods } from './protocol/extension-methods.js';
import { JsonRpcRoute } from './protocol/json-rpc.js';
import { legacyRestRoutes } from './protocol/legacy-rest.js';
import { Readers } from './protocol/readers.js';
import { TaskRequestHandler } from './protocol/request-handler.js';
import { RestRoutes } from './protocol/rest.js';
import { Streams } from './protocol/streams.js';
import { taskRoutes } from './protocol/task-routes.js';
import { PushConfigs } from './push/push-configs.js';
import { PushSender, type PushSenderOptions } from './push/push-sender.js';
import type { PushStore } from './push/push-store.js';
import { PushSigner } from './push/signing.js';
import { toldService } from './push/told-service.js';
import { TaskError } from './task-error.js';

export interface AppOptions {
  service: TaskService;
  pushStore: PushStore;
  proxies: ProxySource;
  /** Default: `localhost`, any port. */
  host?: string;
  port?: number;
  /** The address that clients use, if it is not the one the server listens on. */
  publicUrl?: string;
  credentials?: { token?: string; basic?: string };
  limits?: Partial<ServerLimits>;
  times?: Partial<ServerTimes>;
  /** Only health and metrics: the tasks come from the database. */
  isWorkerOnly?: boolean;
  workspace?: string;
  config: CommandContext['config'];
  /** Only for tests. */
  push?: Pick<PushSenderOptions, 'allow' | 'resolve' | 'clock'>;
}

export interface App {
  /** With a slash at the end. */
  url: string;
  port: number;
  metrics: Metrics;
  /** Takes no new work, lets turns end, closes connections. */
  close(options: { drainMs: number }): Promise<void>;
}

export async function startApp(options: AppOptions): Promise<App> {
  const { service, host = 'localhost', port = 0, publicUrl } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const times = { ...DEFAULT_TIMES, ...options.times };
  const metrics = new Metrics();
  let isClosing = false;
  const url = () => publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${http.port}/`;

  const signer = new PushSigner(await options.pushStore.key(PushSigner.makeKey));
  const sender = new PushSender({
    proxies: options.proxies,
    clock: systemClock,
    signer,
    issuer: url,
    ...options.push,
  });
  const push = new PushConfigs({ service, store: options.pushStore, sender });
  const readers = new Readers(service, times.readerGraceMs);
  const streams = new Streams({ ...times, maxStreams: limits.streams });
  const card = () => ({ url: url(), version: VERSION, pushNotifications: service.isDurable });
  const told = toldService(service, service.isDurable ? push : undefined);
  const handler = new TaskRequestHandler({
    service: told,
    push: service.isDurable ? push : undefined,
    readers,
    card: () => coreCard(card()),
    onMessage: (isDuplicate) =>
      metrics.count('a2a_messages_total', 'Accepted messages.', { duplicate: String(isDuplicate) }),
  });
  const context = {
    service,
    config: options.config,
    ...(options.workspace !== undefined && { workspace: options.workspace }),
  };
  const { bodyBytes } = limits;
  const extension = new ExtensionMethods(context);
  const problem = async () => (isClosing ? 'stopping' : storeProblem(service));
  const operations = operationRoutes({ metrics, problem });
  const all: Route[] = [
    new JsonRpcRoute({ handler, streams, extension, bodyBytes }).route,
    ...taskRoutes({ service, bodyBytes, card, keySet: () => signer.keySet() }),
    ...new RestRoutes({ handler, streams, bodyBytes }).routes,
    ...legacyRestRoutes({ handler, streams, bodyBytes }),
    ...commandRoutes({ context, bodyBytes, times }),
    ...pageRoutes({ service: told, bodyBytes, times, lookMs: 1_000 }),
    ...operations,
  ];
  const routes = options.isWorkerOnly ? operations : all;
  const http = new HttpServer(routes, {
    host,
    port,
    hosts: publicUrl === undefined ? [] : [new URL(publicUrl).host],
    credentials: options.credentials ?? {},
    limits,
    times,
    onRequest: ({ method, route, status, ms }) => {
      metrics.count('a2a_http_requests_total', 'Requests by route and status.', { method, route, status });
      metrics.observe('a2a_http_request_seconds', 'Time until a response was complete.', { route }, ms);
    },
  });
  metrics.gauge('a2a_clients', 'Open connections.', () => http.clients);
  metrics.gauge('a2a_streams', 'Open streams of events.', () => streams.count);
  metrics.gauge('a2a_readers', 'Clients that wait for a turn to end.', () => readers.count);
  metrics.gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss());
  metrics.gauge('process_uptime_seconds', 'Time since the start.', () => Math.round(process.uptime()));
  await http.listen();
  if (service.isDurable && !options.isWorkerOnly) push.start();

  return {
    url: url(),
    port: http.port,
    metrics,
    async close({ drainMs }) {
      isClosing = true;
      http.stopAccepting();
      readers.close();
      await service.close({ drainMs });
      await push.close();
      await http.close();
    },
  };
}

/** Asks for a task that does not exist: a store that works says so. */
async function storeProblem(service: TaskService): Promise<string | undefined> {
  try {
    await service.get('readiness-probe');
    return undefined;
  } catch (error) {
    return error instanceof TaskError && error.code === 'task_not_found' ? undefined : messageOf(error);
  }
}
