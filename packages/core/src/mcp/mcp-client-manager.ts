/** All MCP servers of a session: started side by side, restarted one by one, and their tools registered. */
import { messageOf } from '../base/errors.js';
import type { MessageBus } from '../bus/message-bus.js';
import type { ToolRegistry } from '../tools/tool-registry.js';
import { FIRST_TURN_LIMIT_MS, type ResolvedServer, type ServerBlock } from './config.js';
import type { McpToolDefinition } from './definitions.js';
import { McpServerError } from './errors.js';
import { MCPServerStatus, McpClient, type McpClientEvent, type McpClientParts } from './mcp-client.js';
import { type ReportPorts, Reports } from './reports.js';
import type { ServerRequestHandlers } from './request-handlers.js';
import { assignNames, rivalsOf } from './tools/assign-names.js';
import { McpToolWrapper, type ToolPins } from './tools/mcp-tool-wrapper.js';
import { selectTools } from './tools/select-tools.js';
import { uniqueParts } from './tools/tool-names.js';

export enum MCPDiscoveryState {
  NOT_STARTED = 'not_started',
  IN_PROGRESS = 'in_progress',
  COMPLETED = 'completed',
}

export interface ManagerParts extends ReportPorts {
  /** All configured servers, blocked ones included, in order. Called at the start and on `refresh`. */
  resolve: () => Promise<readonly ResolvedServer[]>;
  transports: McpClientParts['transports'];
  pins: ToolPins & {
    /** Tools that must not be offered: changed since they were approved, and no user can be asked. */
    isHeldBack(server: ResolvedServer, tool: McpToolDefinition): boolean;
    describeHeldBack(server: ResolvedServer, tool: McpToolDefinition): Promise<string>;
    /** Reads what was approved earlier. */
    load(): Promise<void>;
  };
  /** The agent whose own servers these are; absent: those of the session. */
  agentName?: string;
  /** How long a turn waits for a server without a limit of its own; absent: 30 seconds. */
  firstTurnLimitMs?: number;
}

/** A server that exceeds its own limit is reported by the attempt that fails then, not as one that still connects. */
const SETTLING_MS = 300;

/** One server as front ends show it. */
export interface McpServerView {
  server: ResolvedServer;
  status: MCPServerStatus;
  block?: ServerBlock;
  error?: Error;
  /** Undefined while the server is blocked. */
  client?: McpClient;
  /** Those that its configuration selects. */
  tools: () => readonly McpToolDefinition[];
}

interface Entry {
  server: ResolvedServer;
  client: McpClient | undefined;
  /** Resolves when the first attempt has ended, either way. */
  settled: Promise<void>;
  isSettled: boolean;
  /** A turn has waited for it in vain; no other waits. */
  isLate?: boolean;
}

export class McpClientManager {
  readonly reports: Reports;
  private entries = new Map<string, Entry>();
  private parts = new Map<string, string>();
  private readonly registries = new Map<ToolRegistry, { bus: MessageBus; names: Map<string, string[]> }>();
  private readonly listeners = new Set<() => void>();
  private handlers: ServerRequestHandlers = {};
  private starting: Promise<void> | undefined;
  private changing: Promise<void> = Promise.resolve();
  private isStopped = false;
  /** The configuration is being read. */
  private isResolving = false;

  constructor(private readonly options: ManagerParts) {
    this.reports = new Reports(options);
  }

  /** What servers may ask. Set it before `start`. */
  setHandlers(handlers: ServerRequestHandlers): void {
    this.handlers = { ...this.handlers, ...handlers };
  }

  /** Starts all servers side by side. Resolves when each has connected or failed; never rejects. */
  start(): Promise<void> {
    this.starting ??= this.refresh().then(async () => {
      await Promise.all([...this.entries.values()].map(({ settled }) => settled));
    });
    return this.starting;
  }

  get discoveryState(): MCPDiscoveryState {
    if (!this.starting) return MCPDiscoveryState.NOT_STARTED;
    const isRunning = this.isResolving || this.waitingFor().length > 0;
    return isRunning ? MCPDiscoveryState.IN_PROGRESS : MCPDiscoveryState.COMPLETED;
  }

  servers(): McpServerView[] {
    return [...this.entries.values()].map(({ server, client }) => ({
      server,
      status: client?.status ?? statusOf(server.block),
      ...(server.block && { block: server.block }),
      ...(client?.lastError && { error: client.lastError }),
      ...(client && { client }),
      tools: () => selectTools(client?.tools ?? [], server.config),
    }));
  }

  client(name: string): McpClient | undefined {
    return this.entries.get(name)?.client;
  }

  /** Names of the servers that the next turn waits for. */
  waitingFor(): string[] {
    return [...this.entries.values()].filter(isAwaited).map(({ server }) => server.name);
  }

  /** Called after every change of status, lists or servers. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Waits for the first attempt of each server, once and up to its own limit; a server that is left behind is
   * reported. Never rejects.
   */
  async ready(signal?: AbortSignal): Promise<void> {
    void this.start();
    const { firstTurnLimitMs = FIRST_TURN_LIMIT_MS } = this.options;
    await untilAbort(signal, async (aborted) => {
      await untilDone(this.changing, firstTurnLimitMs, aborted);
      const waiting = [...this.entries.values()].filter(isAwaited);
      await Promise.all(
        waiting.map(async (entry) => {
          const { timeout } = entry.server.config;
          await untilDone(entry.settled, timeout ? timeout + SETTLING_MS : firstTurnLimitMs, aborted);
          if (entry.isSettled || signal?.aborted) return;
          entry.isLate = true;
          this.reports.problem(
            `MCP server "${entry.server.name}" is still connecting; this turn runs without it.`,
          );
        }),
      );
    });
  }

  /** Ends one server and starts it again with its current configuration; `settled` waits for its connection. */
  restart(name: string): Promise<void> {
    return this.inTurn(async () => {
      const entry = this.entries.get(name);
      if (!entry) return;
      await entry.client?.disconnect();
      this.unregister(name);
      this.entries.set(name, this.open(entry.server));
    });
  }

  async restartAll(): Promise<void> {
    await Promise.all([...this.entries.keys()].map((name) => this.restart(name)));
  }

  /** Reads the configuration again; only servers that changed are started, ended or restarted. */
  refresh(): Promise<void> {
    return this.inTurn(() => this.reconcile());
  }

  /** Waits until these servers have connected or failed, no longer than the limit: one that hangs holds nothing up. */
  async settled(limitMs: number, names: readonly string[] = [...this.entries.keys()]): Promise<void> {
    const attempts = Promise.all(names.map((name) => this.entries.get(name)?.settled));
    await untilDone(attempts, limitMs);
  }

  /** Registers the tools of all servers, now and whenever they change. Returns a function that ends it. */
  attach(registry: ToolRegistry, bus: MessageBus): () => void {
    this.registries.set(registry, { bus, names: new Map() });
    for (const name of this.entries.keys()) this.register(name);
    return () => this.registries.delete(registry);
  }

  /** The tools of all connected servers, for an agent that has no registry of its own yet. */
  toolsFor(bus: MessageBus): McpToolWrapper[] {
    return [...this.entries.values()].flatMap(({ server, client }) =>
      client?.status === MCPServerStatus.CONNECTED
        ? [...this.toolsOf(server, client).values()].map((parts) => new McpToolWrapper(parts, bus))
        : [],
    );
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.listeners.clear();
    await this.changing;
    await Promise.all([...this.entries.values()].map(({ client }) => client?.disconnect()));
  }

  /** One change of the servers after the other. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    this.changing = this.changing.then(work).catch((error: unknown) => {
      this.reports.problem(`MCP servers could not be started: ${messageOf(error)}`);
    });
    return this.changing;
  }

  private async reconcile(): Promise<void> {
    if (this.isStopped) return;
    this.isResolving = true;
    const servers = await Promise.all([this.options.resolve(), this.options.pins.load()])
      .then(([resolved]) => resolved)
      .finally(() => {
        this.isResolving = false;
      });
    const wanted = new Map(servers.map((server) => [server.name, server]));
    const before = this.entries;
    const isSame = (server: ResolvedServer) =>
      JSON.stringify(before.get(server.name)?.server) === JSON.stringify(server);
    const gone = [...before.values()].filter(({ server }) => {
      const next = wanted.get(server.name);
      return !next || !isSame(next);
    });
    await Promise.all(gone.map(({ client }) => client?.disconnect()));
    for (const { server } of gone) this.unregister(server.name);
    this.parts = uniqueParts(servers.map(({ name }) => name));
    this.entries = new Map(
      servers.map((server) => {
        const kept = isSame(server) ? before.get(server.name) : undefined;
        return [server.name, kept ?? this.open(server)];
      }),
    );
    this.changed();
  }

  private open(server: ResolvedServer): Entry {
    if (server.block?.kind === 'unusable')
      this.reports.problem(`MCP server "${server.name}" does not start. ${server.block.reason}`);
    if (server.block || this.isStopped)
      return { server, client: undefined, settled: Promise.resolve(), isSettled: true };
    const client = new McpClient(server, {
      transports: this.options.transports,
      handlers: () => this.handlers,
    });
    client.on((event) => this.heard(client, event));
    const entry: Entry = { server, client, settled: Promise.resolve(), isSettled: false };
    entry.settled = client
      .connect()
      // The failure is reported with the status.
      .catch(() => undefined)
      .then(() => {
        entry.isSettled = true;
        this.changed();
      });
    return entry;
  }

  private heard(client: McpClient, event: McpClientEvent): void {
    const { name: server } = client;
    if (event.type === 'problem') this.reports.problem(event.message);
    if (event.type === 'status' && event.error)
      this.reports.problem(event.error.message, { server, isUrgent: asksForSignIn(event.error) });
    if (event.type === 'changed' && client.status === MCPServerStatus.CONNECTED) {
      this.reports.info(`MCP server "${client.name}": its ${event.list} were updated.`);
    }
    const isConnected = event.type === 'status' && event.status === MCPServerStatus.CONNECTED;
    if (isConnected) this.reports.recovered(server);
    if (isConnected || (event.type === 'changed' && event.list === 'tools')) this.register(client.name);
    this.changed();
  }

  private register(name: string): void {
    const { client } = this.entries.get(name) ?? {};
    if (client?.status !== MCPServerStatus.CONNECTED) return;
    for (const { server } of this.rivals(name).after) this.registerTools(server.name);
    this.registerTools(name);
  }

  /** Servers whose tools may want the names of this one's. */
  private rivals(name: string) {
    const all = [...this.entries.values()].map(({ server, client }) => ({
      server,
      part: this.parts.get(server.name) ?? server.name,
      tools: selectTools(client?.tools ?? [], server.config),
    }));
    const own = all.find(({ server }) => server.name === name);
    return own ? rivalsOf(own, all) : { before: [], after: [] };
  }

  private registerTools(name: string): void {
    const { client, server } = this.entries.get(name) ?? {};
    if (!client || !server || client.status !== MCPServerStatus.CONNECTED) return;
    const tools = this.toolsOf(server, client);
    for (const [registry, { bus, names }] of this.registries) {
      for (const old of names.get(name) ?? []) withdraw(registry, old, name);
      for (const parts of tools.values()) registry.registerTool(new McpToolWrapper(parts, bus));
      names.set(name, [...tools.keys()]);
    }
  }

  /** By the name for the model. */
  private toolsOf(server: ResolvedServer, client: McpClient) {
    const { pins, agentName } = this.options;
    const part = this.parts.get(server.name) ?? server.name;
    const tools = selectTools(client.tools, server.config);
    const names = assignNames({ part, tools }, this.rivals(server.name).before);
    if (tools.length === 0 && client.tools.length > 0 && server.config.includeTools)
      this.reports.problem(
        `MCP server "${server.name}": "includeTools" of its settings names none of its tools.`,
      );
    const usable = tools.filter((tool) => {
      const isHeldBack = pins.isHeldBack(server, tool);
      if (isHeldBack) void pins.describeHeldBack(server, tool).then((what) => this.reports.problem(what));
      return !isHeldBack;
    });
    return new Map(
      usable.map((definition) => {
        const name = names.get(definition.name) ?? definition.name;
        const onUse = () => this.reports.showDetails();
        return [
          name,
          { name, server, definition, client, pins, onUse, ...(agentName !== undefined && { agentName }) },
        ];
      }),
    );
  }

  private unregister(name: string): void {
    for (const [registry, { names }] of this.registries) {
      for (const tool of names.get(name) ?? []) withdraw(registry, tool, name);
      names.delete(name);
    }
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}

/** The name may be another server's by now. */
function withdraw(registry: ToolRegistry, tool: string, server: string): void {
  if (registry.getTool(tool)?.serverName === server) registry.unregisterTool(tool);
}

function asksForSignIn(error: Error): boolean {
  return error instanceof McpServerError && error.code === 'unauthorized';
}

function isAwaited({ isSettled, isLate }: Entry): boolean {
  return !isSettled && !isLate;
}

/** What the user has switched off is disabled; what others forbid is blocked. */
function statusOf(block: ServerBlock | undefined): MCPServerStatus {
  const isOff =
    block !== undefined && ['disabled', 'enablement', 'session', 'untrusted'].includes(block.kind);
  return isOff ? MCPServerStatus.DISABLED : MCPServerStatus.BLOCKED;
}

/** One listener for all that is waited for: Node warns of more than ten. */
async function untilAbort(
  signal: AbortSignal | undefined,
  work: (aborted: Promise<void>) => Promise<void>,
): Promise<void> {
  if (signal?.aborted) return;
  let abort = () => {};
  const aborted = new Promise<void>((resolve) => {
    abort = resolve;
  });
  signal?.addEventListener('abort', abort, { once: true });
  await work(aborted);
  signal?.removeEventListener('abort', abort);
}

/** Waits for the work, the limit or the abort. */
async function untilDone(work: Promise<unknown>, limitMs: number, aborted?: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, limit, ...(aborted ? [aborted] : [])]);
  clearTimeout(timer);
}
