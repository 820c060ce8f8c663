/** The real server in a process of its own, with a home, a workspace and a scripted model. */
import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Message, Part, StreamResponse, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import { type Client, ClientFactory } from '@a2a-js/sdk/client';
import { type RigOptions, type RunningProcess, type TestRig, testRig } from '@gemini-cli/test-utils/rig';

const PROGRAM = resolve(
  dirname(fileURLToPath(import.meta.url)),
  '../../packages/a2a-server/dist/a2a-server.js',
);

export interface RunningServer {
  url: string;
  origin: string;
  process: RunningProcess;
  client(): Promise<Client>;
}

/** @param options `program`: another one than the server's own, such as `gemini` */
export function a2aRig(options: RigOptions = {}): Promise<TestRig> {
  return testRig({ program: PROGRAM, ...options });
}

export async function startServer(
  rig: TestRig,
  env: Record<string, string> = {},
  ...words: string[]
): Promise<RunningServer> {
  const process = rig.spawn(...words, { env, timeoutMs: 120_000 });
  await process.waitForStdout(/listens on \S+\n/);
  const url = /listens on (\S+)/.exec(process.stdout)?.[1] ?? '';
  const origin = url.replace(/\/$/, '');
  return { url, origin, process, client: () => new ClientFactory().createFromUrl(origin) };
}

/** A folder with files below the workspace, which the user trusts. */
export function folderOf(rig: TestRig, name: string, files: Record<string, string> = {}): string {
  const folder = rig.path(name);
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of Object.entries(files)) rig.write(`${name}/${file}`, content);
  return folder;
}

let count = 0;

/** A message in the form of the library. */
export function message(
  parts: string | Part[],
  { taskId = '', contextId = '', workspace, autoExecute, messageId }: MessageOptions = {},
) {
  const value: Message = {
    messageId: messageId ?? `m${++count}-${process.pid}`,
    contextId,
    taskId,
    role: 1,
    parts: typeof parts === 'string' ? [part({ $case: 'text', value: parts })] : parts,
    metadata:
      workspace === undefined
        ? undefined
        : {
            coderAgent: {
              kind: 'agent-settings',
              workspacePath: workspace,
              ...(autoExecute && { autoExecute }),
            },
          },
    extensions: [],
    referenceTaskIds: [],
  };
  return { tenant: '', message: value, configuration: undefined, metadata: undefined };
}

interface MessageOptions {
  taskId?: string;
  contextId?: string;
  workspace?: string;
  autoExecute?: boolean;
  messageId?: string;
}

export function part(content: Part['content']): Part {
  return { content, metadata: undefined, filename: '', mediaType: '' };
}

export function answer(callId: string, outcome: string, newContent?: string): Part[] {
  return [
    part({ $case: 'data', value: { callId, outcome, ...(newContent !== undefined && { newContent }) } }),
  ];
}

/** All events of a turn, and what they say. */
export class Turn {
  taskId = '';
  contextId = '';
  text = '';
  state: number | undefined;
  /** Data of tool calls, by kind of event. */
  readonly calls: { kind: string; data: Record<string, unknown> }[] = [];

  static async of(events: AsyncIterable<StreamResponse>): Promise<Turn> {
    const turn = new Turn();
    for await (const { payload } of events) {
      if (payload?.$case === 'statusUpdate') turn.add(payload.value);
      if (payload?.$case === 'task') turn.taskId = payload.value.id;
    }
    return turn;
  }

  /** The call that waits for an answer. */
  get confirmation(): { callId: string; data: Record<string, unknown> } {
    const data = this.calls.findLast(({ kind }) => kind === 'tool-call-confirmation')?.data ?? {};
    const request = data['request'] as { callId: string } | undefined;
    return { callId: request?.callId ?? '', data };
  }

  private add({ taskId, contextId, status, metadata }: TaskStatusUpdateEvent): void {
    this.taskId = taskId;
    this.contextId = contextId;
    this.state = status?.state;
    const kind = String((metadata?.['coderAgent'] as { kind?: string } | undefined)?.kind);
    for (const { content } of status?.message?.parts ?? []) {
      if (content?.$case === 'text' && kind === 'text-content') this.text += content.value;
      if (content?.$case === 'data' && kind.startsWith('tool-call'))
        this.calls.push({ kind, data: content.value });
    }
  }
}
