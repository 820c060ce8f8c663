/**
 * Plays the companion of an editor, made with the 1.x SDK as real ones are: MCP over streamable HTTP on loopback, a bearer
 * token, and a discovery file. The test is the user in the editor.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { delimiter, join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

export interface EditorFile {
  path: string;
  timestamp: number;
  isActive?: boolean;
  cursor?: { line: number; character: number };
  selectedText?: string;
}

export interface EditorState {
  openFiles?: EditorFile[];
  isTrusted?: boolean;
}

export interface CompanionOptions {
  /** The temporary directory of the program under test. */
  tmpdir: string;
  /** Folders that are open; none: no folder is open. */
  roots: readonly string[];
  state?: EditorState;
  /** What the discovery file says; the rest is as in a real one. */
  file?: Record<string, unknown>;
  /** The discovery file as it is. */
  rawFile?: string;
  /** Of the discovery file. */
  mode?: number;
  /** The editor's process; default: this one, which starts the program. */
  pid?: number;
  /** No discovery file is written. */
  isHidden?: boolean;
  /** The token it accepts; default: the one it tells. */
  token?: string;
  /** Answers before the protocol does. True: it has. */
  before?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** How `closeDiff` answers; default: the content as JSON. */
  closeAnswer?: (content: string) => CloseAnswer;
  /** What it calls itself. */
  serverInfo?: { name: string; version: string };
  /** Answers are JSON, not a stream of one event. */
  answersJson?: boolean;
  /** Opening a diff fails. */
  refusesDiffs?: boolean;
  /** Opening a diff shows it, but is never answered: the editor hangs. */
  hangsOnDiffs?: boolean;
}

export interface CloseAnswer {
  text?: string;
  isError?: boolean;
}

export interface ShownDiff {
  filePath: string;
  /** What the user sees on the right, and may change. */
  content: string;
}

export class Companion {
  /** The diff that is open now. */
  diff: ShownDiff | undefined;
  /** Every diff that was opened, and how often one was closed by the program. */
  readonly opened: ShownDiff[] = [];
  closedByProgram = 0;
  readonly requests: { method: string; headers: IncomingMessage['headers'] }[] = [];
  private readonly told = randomUUID();
  private readonly http: Server;
  private readonly sockets = new Set<Socket>();
  private readonly sessions = new Map<string, StreamableHTTPServerTransport>();
  private readonly watchers = new Set<() => void>();
  private firstSession: string | undefined;
  private state: EditorState;
  private file = '';

  constructor(private readonly options: CompanionOptions) {
    this.state = options.state ?? {};
    this.http = createServer((request, response) => void this.handle(request, response));
    this.http.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  get port(): number {
    return (this.http.address() as AddressInfo).port;
  }

  /** Where it says that it can be reached. */
  get discoveryFile(): string {
    return this.file;
  }

  /** What an editor sets in its terminals. */
  get env(): Record<string, string> {
    return { TERM_PROGRAM: 'vscode', TMPDIR: this.options.tmpdir };
  }

  /** The variables that lead to it without a discovery file. */
  get addressVariables(): Record<string, string> {
    return {
      GEMINI_CLI_IDE_SERVER_PORT: String(this.port),
      GEMINI_CLI_IDE_WORKSPACE_PATH: this.options.roots.join(delimiter),
      GEMINI_CLI_IDE_AUTH_TOKEN: this.told,
    };
  }

  get isConnected(): boolean {
    return this.sessions.size > 0;
  }

  /** Whether the program still has the connection that it opened first. */
  get hasFirstConnection(): boolean {
    return this.firstSession !== undefined && this.sessions.has(this.firstSession);
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.http.listen(0, '127.0.0.1', resolve));
    if (!this.options.isHidden) this.writeFile();
  }

  /** The user opens files, moves the cursor, selects, or decides about trust. */
  async update(state: EditorState): Promise<void> {
    this.state = { ...this.state, ...state };
    await Promise.all([...this.sessions.values()].map((transport) => this.tellState(transport)));
  }

  /** Resolves with the next diff, or the one that is open. */
  async shownDiff(): Promise<ShownDiff> {
    await this.until(() => this.diff !== undefined);
    return this.diff as ShownDiff;
  }

  /** Resolves when the program has closed the diff. */
  untilClosed(): Promise<void> {
    return this.until(() => this.closedByProgram > 0 && this.diff === undefined);
  }

  untilConnected(): Promise<void> {
    return this.until(() => this.isConnected);
  }

  /** Resolves when the program listens to what happens in the editor. */
  untilHeard(): Promise<void> {
    return this.until(() => this.requests.some(({ method }) => method === 'GET'));
  }

  /** The user accepts the diff. @param content what it was changed to */
  async accept(content = this.diff?.content): Promise<void> {
    const { filePath } = await this.shownDiff();
    this.diff = undefined;
    await this.tell('ide/diffAccepted', { filePath, content });
  }

  /** The user rejects the diff, or closes its tab. */
  async reject(): Promise<void> {
    const { filePath } = await this.shownDiff();
    this.diff = undefined;
    await this.tell('ide/diffRejected', { filePath });
  }

  /** Any notification, also one that no real companion would send. */
  async tell(method: string, params: Record<string, unknown>): Promise<void> {
    const sends = [...this.sessions.values()].map((transport) =>
      transport.send({ jsonrpc: '2.0', method, params }),
    );
    await Promise.all(sends);
  }

  /** The editor dies: no goodbye, and its file stays. */
  kill(): void {
    for (const socket of this.sockets) socket.destroy();
    this.http.close();
    this.sessions.clear();
    this.diff = undefined;
  }

  /** The editor closes its window. */
  async close(): Promise<void> {
    if (this.file !== '') rmSync(this.file, { force: true });
    this.kill();
  }

  private writeFile(): void {
    const { tmpdir, roots, pid = process.pid, file, rawFile, mode = 0o600 } = this.options;
    const directory = join(tmpdir, 'gemini', 'ide');
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.file = join(directory, `gemini-ide-server-${pid}-${this.port}.json`);
    const content = {
      port: this.port,
      workspacePath: roots.join(delimiter),
      authToken: this.told,
      ideInfo: { name: 'vscode', displayName: 'VS Code' },
      ...file,
    };
    writeFileSync(this.file, rawFile ?? JSON.stringify(content));
    chmodSync(this.file, mode);
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push({ method: request.method ?? '', headers: request.headers });
    this.changed();
    const { before = () => false, token = this.told } = this.options;
    if (before(request, response)) return;
    if (request.headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end();
    if (request.headers.origin !== undefined) return void response.writeHead(403).end();
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? this.sessions.get(id) : undefined;
    if (typeof id === 'string' && !known) return void response.writeHead(404).end();
    const transport = known ?? this.newTransport();
    if (!known) await this.newServer().connect(transport);
    const handled = transport.handleRequest(request, response);
    if (request.method === 'GET') {
      // It lasts as long as the stream is open.
      while (!response.headersSent) await new Promise((resolve) => setImmediate(resolve));
      await this.tellState(transport);
    }
    await handled;
  }

  private newTransport(): StreamableHTTPServerTransport {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      enableJsonResponse: this.options.answersJson === true,
      onsessioninitialized: (id) => {
        this.sessions.set(id, transport);
        this.firstSession ??= id;
        this.changed();
      },
      onsessionclosed: (id) => {
        this.sessions.delete(id);
        this.changed();
      },
    });
    return transport;
  }

  private newServer(): McpServer {
    const {
      serverInfo = { name: 'companion', version: '1' },
      closeAnswer = (content: string): CloseAnswer => ({ text: JSON.stringify({ content }) }),
      refusesDiffs,
      hangsOnDiffs,
    } = this.options;
    const server = new McpServer(serverInfo);
    server.registerTool(
      'openDiff',
      { description: 'Shows a diff.', inputSchema: { filePath: z.string(), newContent: z.string() } },
      ({ filePath, newContent: content }) => {
        if (refusesDiffs) return { isError: true, content: [{ type: 'text', text: 'no editor group' }] };
        this.diff = { filePath, content };
        this.opened.push(this.diff);
        this.changed();
        return hangsOnDiffs ? new Promise<never>(() => undefined) : { content: [] };
      },
    );
    server.registerTool(
      'closeDiff',
      {
        description: 'Closes a diff.',
        inputSchema: { filePath: z.string(), suppressNotification: z.boolean().optional() },
      },
      () => {
        const { text, isError = false } = this.diff ? closeAnswer(this.diff.content) : NOTHING_OPEN;
        this.diff = undefined;
        this.closedByProgram++;
        this.changed();
        return { isError, content: text === undefined ? [] : [{ type: 'text', text }] };
      },
    );
    return server;
  }

  private async tellState(transport: StreamableHTTPServerTransport): Promise<void> {
    const params = { workspaceState: this.state };
    await transport.send({ jsonrpc: '2.0', method: 'ide/contextUpdate', params });
  }

  private until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!condition()) return;
        this.watchers.delete(check);
        resolve();
      };
      this.watchers.add(check);
      check();
    });
  }

  private changed(): void {
    for (const check of [...this.watchers]) check();
  }
}

const NOTHING_OPEN: CloseAnswer = { text: '{}' };
