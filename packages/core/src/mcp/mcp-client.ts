/**
 * One MCP server: its connection, what it offers, and calls to it. Connects again when the connection is lost; what it
 * offered stays known meanwhile.
 */
import type { Client, Transport } from '@modelcontextprotocol/client';
import { untilAborted } from '../base/concurrency.js';
import { isAbort, messageOf } from '../base/errors.js';
import { createLog } from '../platform/log.js';
import { VERSION } from '../platform/version.js';
import { type ResolvedServer, requestTimeout } from './config.js';
import {
  type McpPromptDefinition,
  type McpResourceDefinition,
  type McpToolDefinition,
  readPrompt,
  readResource,
  readTool,
} from './definitions.js';
import { McpServerError } from './errors.js';
import { readPages } from './list-pages.js';
import { ListRefresh } from './list-refresh.js';
import { answerServer, onListChanged, onPageCompleted } from './protocol-handlers.js';
import { Reconnect } from './reconnect.js';
import { capabilitiesOf, type ServerRequestHandlers } from './request-handlers.js';
import { isConnectionGone, isMethodNotFound } from './server-error.js';
import { RequiredPages, requiredPages } from './server-requests/required-pages.js';
import { useUuidTokens } from './transport/progress-tokens.js';

export enum MCPServerStatus {
  DISCONNECTED = 'disconnected',
  DISCONNECTING = 'disconnecting',
  CONNECTING = 'connecting',
  CONNECTED = 'connected',
  BLOCKED = 'blocked',
  DISABLED = 'disabled',
}

export type McpListKind = 'tools' | 'prompts' | 'resources';

export type McpClientEvent =
  | { type: 'status'; status: MCPServerStatus; error?: Error }
  /** A list differs from before, after `list_changed` or a new connection. */
  | { type: 'changed'; list: McpListKind }
  /** For the user: something about the server that is not an error of a call. */
  | { type: 'problem'; message: string };

/** A transport that can start its server before the protocol library is loaded. */
export type OpenTransport = Transport & { spawn?(): Promise<void> };

export interface McpClientParts {
  /** Ways to reach the server, in the order they are tried; the error of the first is reported. */
  transports: (server: ResolvedServer) => readonly (() => OpenTransport | Promise<OpenTransport>)[];
  handlers: () => ServerRequestHandlers;
}

export interface McpRequestOptions {
  signal?: AbortSignal;
  onProgress?: (progress: { progress: number; total?: number; message?: string }) => void;
}

const CLIENT_NAME = 'gemini-cli-mcp-client';
const LISTS = {
  tools: { method: 'tools/list', read: readTool },
  prompts: { method: 'prompts/list', read: readPrompt },
  resources: { method: 'resources/list', read: readResource },
} as const;
/** Accepts any answer: what we use of it is checked where it is used. */
const ANY = {
  '~standard': { version: 1, vendor: 'gemini-cli', validate: (value: unknown) => ({ value }) },
} as const;

const log = createLog('mcp');

export class McpClient {
  status = MCPServerStatus.DISCONNECTED;
  /** Why it is not connected. */
  lastError: Error | undefined;
  tools: readonly McpToolDefinition[] = [];
  prompts: readonly McpPromptDefinition[] = [];
  resources: readonly McpResourceDefinition[] = [];
  private client: Client | undefined;
  private connecting: Promise<void> | undefined;
  private transportError: Error | undefined;
  private isLeaving = false;
  private hasConnected = false;
  private leaving = new AbortController();
  private readonly listeners = new Set<(event: McpClientEvent) => void>();
  private readonly refreshes = new Map<McpListKind, ListRefresh>();
  private readonly pages = new RequiredPages();
  private readonly reconnect = new Reconnect(() => this.connect());

  constructor(
    readonly server: ResolvedServer,
    private readonly parts: McpClientParts,
  ) {}

  get name(): string {
    return this.server.name;
  }

  /** Text for the model about how to use the server; not cleaned. */
  get instructions(): string | undefined {
    return this.client?.getInstructions();
  }

  get capabilities() {
    return this.client?.getServerCapabilities();
  }

  get serverInfo() {
    return this.client?.getServerVersion();
  }

  on(listener: (event: McpClientEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Connects and reads the lists. Does nothing while connected; joins an attempt that is under way.
   * @throws McpServerError
   */
  connect(): Promise<void> {
    if (this.status === MCPServerStatus.CONNECTED) return Promise.resolve();
    this.isLeaving = false;
    this.connecting ??= this.open().finally(() => {
      this.connecting = undefined;
    });
    return this.connecting;
  }

  /** Ends the connection and the server's process. It can be connected again. */
  async disconnect(): Promise<void> {
    this.isLeaving = true;
    this.reconnect.stop();
    for (const refresh of this.refreshes.values()) refresh.close();
    this.refreshes.clear();
    this.leaving.abort();
    this.leaving = new AbortController();
    const { client } = this;
    this.client = undefined;
    if (client) this.setStatus(MCPServerStatus.DISCONNECTING);
    await this.connecting?.catch(() => undefined);
    await client?.close().catch((error: unknown) => log.debug('close failed', messageOf(error)));
    this.setStatus(MCPServerStatus.DISCONNECTED);
  }

  listTools(): Promise<readonly McpToolDefinition[]> {
    return this.fetch('tools');
  }

  listPrompts(): Promise<readonly McpPromptDefinition[]> {
    return this.fetch('prompts');
  }

  listResources(): Promise<readonly McpResourceDefinition[]> {
    return this.fetch('resources');
  }

  /** @returns the result of `tools/call`, not checked. @throws McpServerError, or the reason of an abort */
  callTool(name: string, args: Record<string, unknown>, options: McpRequestOptions = {}): Promise<unknown> {
    return this.request('tools/call', { name, arguments: args }, options);
  }

  readResource(uri: string, options: McpRequestOptions = {}): Promise<unknown> {
    return this.request('resources/read', { uri }, options);
  }

  getPrompt(name: string, args: Record<string, string>, options: McpRequestOptions = {}): Promise<unknown> {
    return this.request('prompts/get', { name, arguments: args }, options);
  }

  /** Any request; connects first if the connection was lost. */
  async request(
    method: string,
    params: Record<string, unknown>,
    options: McpRequestOptions = {},
  ): Promise<unknown> {
    try {
      return await this.requestOnce(method, params, options);
    } catch (error) {
      const isRefused = error instanceof McpServerError && error.code === 'session_lost';
      if (options.signal?.aborted) throw error;
      // The server has not looked at it: in a new session, or after a page it requires, it can be sent again.
      if (!isRefused && !(await this.visitPages(error, options.signal))) throw error;
      return this.requestOnce(method, params, options);
    }
  }

  private async visitPages(error: unknown, signal: AbortSignal | undefined): Promise<boolean> {
    const pages = requiredPages(error instanceof McpServerError ? error.cause : error);
    const { elicit, elicitation } = this.parts.handlers();
    if (pages.length === 0 || !elicit || !elicitation?.url) return false;
    const ask = (page: (typeof pages)[number]) =>
      elicit(this.server, page, signal ?? new AbortController().signal);
    return this.pages.visit(pages, ask, { waitMs: requestTimeout(this.server.config), signal });
  }

  private async requestOnce(
    method: string,
    params: Record<string, unknown>,
    { signal, onProgress }: McpRequestOptions,
  ): Promise<unknown> {
    const client = await this.connected(signal);
    try {
      return await client.request({ method, params }, ANY, {
        timeout: requestTimeout(this.server.config),
        ...(signal && { signal }),
        ...(onProgress && { onprogress: onProgress, resetTimeoutOnProgress: true }),
      });
    } catch (error) {
      if (isAbort(error, signal)) throw error;
      throw await this.failed(error);
    }
  }

  /** Tells the server that `roots/list` would answer differently now. */
  async rootsChanged(): Promise<void> {
    if (!this.client || !this.parts.handlers().roots) return;
    await this.client.sendRootsListChanged().catch((error: unknown) => log.debug('roots', messageOf(error)));
  }

  private async connected(signal: AbortSignal | undefined): Promise<Client> {
    if (!this.client && !this.isLeaving && this.hasConnected) await untilAborted(this.connect(), signal);
    if (this.client) return this.client;
    throw this.lastError ?? new McpServerError(this.name, 'not_connected', 'it is not connected.');
  }

  private async open(): Promise<void> {
    this.setStatus(MCPServerStatus.CONNECTING);
    let first: unknown;
    for (const openTransport of this.parts.transports(this.server)) {
      try {
        await this.openWith(await openTransport());
        return;
      } catch (error) {
        first ??= error;
        if (this.isLeaving || (error instanceof McpServerError && error.code === 'unauthorized')) break;
      }
    }
    if (this.isLeaving) {
      this.setStatus(MCPServerStatus.DISCONNECTED);
      throw new McpServerError(this.name, 'not_connected', 'the connection was closed.');
    }
    const { asServerError } = await import('./as-server-error.js');
    const error = asServerError(this.name, first ?? new Error('it has no address and no command.'));
    this.setStatus(MCPServerStatus.DISCONNECTED, error);
    throw error;
  }

  private async openWith(transport: OpenTransport): Promise<void> {
    const { signal } = this.leaving;
    const timeout = requestTimeout(this.server.config);
    this.transportError = undefined;
    // Starts the server while the library is being loaded.
    void transport.spawn?.().catch(() => undefined);
    const { Client } = await import('@modelcontextprotocol/client');
    const handlers = this.parts.handlers();
    const client = new Client(
      { name: CLIENT_NAME, version: VERSION },
      { capabilities: capabilitiesOf(handlers) },
    );
    client.onerror = (error) => {
      log.debug(`${this.name}: ${messageOf(error)}`);
      if (error instanceof McpServerError) this.transportError = error;
    };
    answerServer(client, this.server, handlers);
    onListChanged(client, (kind) => this.refreshOf(kind).notify());
    onPageCompleted(client, (id) => this.pages.completed(id));
    try {
      // The library limits its requests, but not how long a stream may take to open.
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
      await untilAborted(client.connect(transport, { timeout, signal }), limit);
      useUuidTokens(transport);
      this.client = client;
      client.onclose = () => this.lost(client);
      await this.discover();
      if (this.client !== client) throw this.transportError ?? new Error('the connection was closed.');
    } catch (error) {
      if (this.client === client) this.client = undefined;
      client.onclose = undefined;
      await client.close().catch(() => undefined);
      await transport.close().catch(() => undefined);
      const { asServerError } = await import('./as-server-error.js');
      throw asServerError(this.name, this.transportError ?? error, { connecting: true, timeout });
    }
    this.hasConnected = true;
    this.reconnect.succeeded();
    this.setStatus(MCPServerStatus.CONNECTED);
  }

  /** A server whose prompts or resources cannot be listed is used for what it has else. */
  private async discover(): Promise<void> {
    const refused = new Map<McpListKind, McpServerError>();
    const list = async (kind: McpListKind) => {
      try {
        await this.fetch(kind);
      } catch (error) {
        if (kind === 'tools' || !(error instanceof McpServerError && error.code === 'protocol')) throw error;
        refused.set(kind, error);
      }
    };
    const kinds = Object.keys(LISTS) as McpListKind[];
    await Promise.all(kinds.filter((kind) => this.capabilities?.[kind]).map(list));
    if (this.tools.length + this.prompts.length + this.resources.length === 0)
      throw (
        [...refused.values()][0] ??
        new McpServerError(this.name, 'protocol', 'it offers no tools, prompts or resources.')
      );
    for (const [kind, { message }] of refused)
      this.emit({ type: 'problem', message: `${message} (while its ${kind} were listed)` });
  }

  private async fetch<K extends McpListKind>(kind: K): Promise<McpClient[K]> {
    const { client } = this;
    if (!client)
      throw this.lastError ?? new McpServerError(this.name, 'not_connected', 'it is not connected.');
    const { method, read } = LISTS[kind];
    const timeout = requestTimeout(this.server.config);
    const deadline = AbortSignal.any([this.leaving.signal, AbortSignal.timeout(timeout)]);
    let list: { items: unknown[]; isCut: boolean };
    try {
      list = await readPages<unknown>(
        (cursor) =>
          client.request({ method, params: cursor === undefined ? {} : { cursor } }, ANY, {
            timeout,
            signal: deadline,
          }),
        kind,
        read,
      );
    } catch (error) {
      if (!isMethodNotFound(error)) throw await this.failed(error);
      list = { items: [], isCut: false };
    }
    if (list.isCut)
      this.emit({
        type: 'problem',
        message: new McpServerError(
          this.name,
          'protocol',
          `its list of ${kind} does not end; the first ${list.items.length} are used.`,
        ).message,
      });
    const hasChanged = JSON.stringify(this[kind]) !== JSON.stringify(list.items);
    this[kind] = list.items as unknown as this[K];
    if (hasChanged) this.emit({ type: 'changed', list: kind });
    return this[kind];
  }

  private refreshOf(kind: McpListKind): ListRefresh {
    let refresh = this.refreshes.get(kind);
    if (!refresh) {
      refresh = new ListRefresh(async () => {
        const before = this[kind];
        await this.fetch(kind).catch((error: unknown) => log.debug(`${this.name}: ${messageOf(error)}`));
        return this[kind] !== before && JSON.stringify(this[kind]) !== JSON.stringify(before);
      });
      this.refreshes.set(kind, refresh);
    }
    return refresh;
  }

  private lost(client: Client): void {
    if (this.client !== client) return;
    this.client = undefined;
    if (this.isLeaving) return;
    this.setStatus(
      MCPServerStatus.DISCONNECTED,
      this.transportError ?? new McpServerError(this.name, 'transport', 'the connection was lost.'),
    );
    if (this.hasConnected) this.reconnect.schedule();
  }

  private async failed(error: unknown): Promise<Error> {
    // The transport reports why it closed right after it failed the request.
    await new Promise((resolve) => setImmediate(resolve));
    const { asServerError } = await import('./as-server-error.js');
    const known = asServerError(this.name, error, { timeout: requestTimeout(this.server.config) });
    if (known.code === 'session_lost' || isConnectionGone(error)) {
      const { client } = this;
      if (client) this.lost(client);
      await client?.close().catch(() => undefined);
    }
    return known.code === 'transport' && this.transportError ? this.transportError : known;
  }

  private setStatus(status: MCPServerStatus, error?: Error): void {
    this.status = status;
    this.lastError = error;
    this.emit({ type: 'status', status, ...(error && { error }) });
  }

  private emit(event: McpClientEvent): void {
    for (const listener of this.listeners) listener(event);
  }
}
