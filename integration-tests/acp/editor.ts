/** An editor that speaks with `gemini --acp` through the reference client of the protocol, and remembers what it was told. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import {
  type Client,
  ClientSideConnection,
  type ContentBlock,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
} from '@agentclientprotocol/sdk';
import { onTestFinished } from 'vitest';
import { BUNDLE, type TestRig } from '../test-utils.js';

type Update = SessionNotification['update'];

export interface EditorOptions {
  args?: string[];
  env?: Record<string, string | undefined>;
  /** Chooses an option by its id; default: `proceed_once`. */
  answer?: (request: RequestPermissionRequest) => string | undefined | Promise<string | undefined>;
  /** Methods of the client beyond updates and permissions. */
  client?: Partial<Client>;
  capabilities?: Record<string, unknown>;
}

export class Editor {
  readonly updates: { sessionId: string; update: Update }[] = [];
  readonly permissions: RequestPermissionRequest[] = [];
  stderr = '';
  readonly connection: ClientSideConnection;
  readonly child;
  readonly exited: Promise<number | null>;
  private readonly watchers = new Set<() => void>();

  constructor(
    readonly rig: TestRig,
    private readonly options: EditorOptions,
  ) {
    this.child = spawn(process.execPath, [BUNDLE, '--acp', ...(options.args ?? [])], {
      cwd: rig.workspace,
      env: rig.environment(options.env),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child.stderr.on('data', (data: Buffer) => {
      this.stderr += data.toString('utf8');
    });
    this.exited = once(this.child, 'close').then(([code]) => code as number | null);
    const stream = ndJsonStream(
      Writable.toWeb(this.child.stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(this.child.stdout) as ReadableStream<Uint8Array>,
    );
    this.connection = new ClientSideConnection(
      () => ({
        ...options.client,
        sessionUpdate: async ({ sessionId, update }: SessionNotification) => {
          this.updates.push({ sessionId, update });
          for (const check of [...this.watchers]) check();
        },
        requestPermission: (request: RequestPermissionRequest) => this.permit(request),
      }),
      stream,
    );
  }

  async initialize() {
    return this.connection.initialize({
      protocolVersion: 1,
      clientInfo: { name: 'test-editor', version: '1' },
      clientCapabilities: {
        fs: {
          readTextFile: this.options.client?.readTextFile !== undefined,
          writeTextFile: this.options.client?.writeTextFile !== undefined,
        },
        terminal: this.options.client?.createTerminal !== undefined,
        ...this.options.capabilities,
      },
    });
  }

  async open(cwd = this.rig.workspace): Promise<string> {
    return (await this.connection.newSession({ cwd, mcpServers: [] })).sessionId;
  }

  prompt(sessionId: string, ...blocks: (string | ContentBlock)[]) {
    const prompt = blocks.map(
      (block): ContentBlock => (typeof block === 'string' ? { type: 'text', text: block } : block),
    );
    return this.connection.prompt({ sessionId, prompt });
  }

  /** Updates of a kind, in order. */
  seen<K extends Update['sessionUpdate']>(
    kind: K,
    sessionId?: string,
  ): Extract<Update, { sessionUpdate: K }>[] {
    return this.updates
      .filter((one) => sessionId === undefined || one.sessionId === sessionId)
      .map(({ update }) => update)
      .filter((update): update is Extract<Update, { sessionUpdate: K }> => update.sessionUpdate === kind);
  }

  /** The text of all chunks of a kind. */
  said(
    kind: 'agent_message_chunk' | 'agent_thought_chunk' | 'user_message_chunk',
    sessionId?: string,
  ): string {
    return this.seen(kind, sessionId)
      .map(({ content }) => (content.type === 'text' ? content.text : ''))
      .join('');
  }

  /** Resolves when an update fits. */
  waitFor(fits: (update: Update) => boolean): Promise<Update> {
    return new Promise((resolve) => {
      const check = () => {
        const found = this.updates.find(({ update }) => fits(update));
        if (!found) return;
        this.watchers.delete(check);
        resolve(found.update);
      };
      this.watchers.add(check);
      check();
    });
  }

  /** Closes stdin. @returns the exit code */
  close(): Promise<number | null> {
    this.child.stdin.end();
    return this.exited;
  }

  private async permit(request: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    this.permissions.push(request);
    const optionId = this.options.answer ? await this.options.answer(request) : 'proceed_once';
    return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
  }
}

/** Started, initialized, and ended after the test. */
export async function startEditor(rig: TestRig, options: EditorOptions = {}): Promise<Editor> {
  const editor = new Editor(rig, options);
  onTestFinished(async () => {
    editor.child.stdin.destroy();
    editor.child.kill('SIGKILL');
    await editor.exited;
  });
  await editor.initialize();
  return editor;
}
