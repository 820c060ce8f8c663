/** The other side: starts an agent that speaks ACP (`gemini --acp`, or any other) and talks to it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  type ClientConnection,
  type ContentBlock,
  client,
  type InitializeResponse,
  type McpServer,
  type NewSessionResponse,
  type PromptResponse,
  type RequestPermissionRequest,
  type SessionNotification,
} from '@agentclientprotocol/sdk';
import { lineStream } from './wire/lines.js';

export interface AcpClientOptions {
  /** Default: `gemini`. */
  command?: string;
  /** Default: `--acp`. */
  args?: readonly string[];
  cwd?: string;
  /** Default: the variables of this process. */
  env?: Readonly<Record<string, string | undefined>>;
}

export interface AcpClientListeners {
  /** What a session tells. */
  update(notification: SessionNotification): void;
  /** @returns the id of an option; undefined cancels the turn. Without a listener every request is cancelled */
  permission(request: RequestPermissionRequest): string | undefined | Promise<string | undefined>;
  /** The process has ended. */
  close(exitCode: number | null): void;
}

/** How long a process may take to end after its stdin is closed. */
const END_MS = 5000;

export class GeminiCliAcpClient {
  private readonly listeners: Partial<AcpClientListeners> = {};
  private readonly connection: ClientConnection;
  private readonly exited: Promise<number | null>;

  private constructor(private readonly child: ChildProcess) {
    const { stdin, stdout } = child;
    if (!stdin || !stdout) throw new TypeError('The process has no stdin and stdout.');
    this.exited = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null));
    this.connection = client({ name: 'gemini-cli-sdk' })
      .onNotification('session/update', ({ params }) => this.listeners.update?.(params))
      .onRequest('session/request_permission', async ({ params }) => {
        const optionId = await this.listeners.permission?.(params);
        return {
          outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId },
        };
      })
      .connect(lineStream({ input: stdout, output: stdin }));
    void this.exited.then((code) => {
      this.connection.close();
      this.listeners.close?.(code);
    });
  }

  /** @throws when the program cannot be started */
  static async spawn({
    command = 'gemini',
    args = ['--acp'],
    cwd = process.cwd(),
    env = process.env,
  }: AcpClientOptions = {}): Promise<GeminiCliAcpClient> {
    const child = spawn(command, [...args], { cwd, env: { ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
    await once(child, 'spawn');
    return new this(child);
  }

  on<E extends keyof AcpClientListeners>(event: E, listener: AcpClientListeners[E]): this {
    this.listeners[event] = listener;
    return this;
  }

  initialize(): Promise<InitializeResponse> {
    return this.connection.agent.request('initialize', {
      protocolVersion: 1,
      clientInfo: { name: 'gemini-cli-sdk', version: '0.1.0' },
      clientCapabilities: {},
    });
  }

  newSession({
    cwd = process.cwd(),
    mcpServers = [],
  }: {
    cwd?: string;
    mcpServers?: McpServer[];
  } = {}): Promise<NewSessionResponse> {
    return this.connection.agent.request('session/new', { cwd, mcpServers });
  }

  prompt(sessionId: string, prompt: string | ContentBlock[]): Promise<PromptResponse> {
    const blocks: ContentBlock[] = typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt;
    return this.connection.agent.request('session/prompt', { sessionId, prompt: blocks });
  }

  cancel(sessionId: string): Promise<void> {
    return this.connection.agent.notify('session/cancel', { sessionId });
  }

  /** Closes its stdin, which ends it. @returns its exit code */
  async close(): Promise<number | null> {
    this.child.stdin?.end();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), END_MS);
    try {
      return await this.exited;
    } finally {
      clearTimeout(timer);
    }
  }
}
