/** Measures the A2A server: the built one in a process of its own, clients on this machine, a scripted model. */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { callTool, type Script, text } from '../packages/test-utils/src/model-script.js';
import { type ModelServer, startModelServer } from '../packages/test-utils/src/model-server.js';
import type { Bench } from './rounds.js';
import { atMost, exactly, type Group, statOf } from './row.js';
import { BUILT, cleanEnv } from './subjects.js';

const FIRST_EVENTS = 40;
const IDLE = 500;
const WORKING = 50;
const READERS = 1_000;

const SERVER = join(BUILT, '../../a2a-server/dist/a2a-server.js');

export const A2A_ROWS: Record<string, Group> = {
  async 'a2a-server'(bench) {
    const server = await startServer(bench);
    try {
      const first = await firstEvents(server);
      const idle = await idleTasks(server);
      const failed = await workingTasks(server);
      const readers = await heldReaders(server);
      return [
        {
          name: 'A2A: from `message/stream` to the first text of the model',
          unit: 'ms',
          program: statOf(first),
          ...atMost(25, 'ms'),
          note: 'the engine and a model that answers at once included',
        },
        {
          name: `A2A: ${IDLE} idle tasks`,
          unit: 'MB',
          program: exactly(idle),
          ...atMost(250, 'MB'),
          note: 'resident, after one turn each',
        },
        {
          name: `A2A: of ${WORKING} tasks that work at once, failed`,
          unit: 'count',
          program: exactly(failed),
          ...atMost(0, 'tasks'),
          note: 'a tool call each',
        },
        {
          name: `A2A: of ${READERS.toLocaleString('en')} readers of one stream, lost`,
          unit: 'count',
          program: exactly(readers.lost),
          ...atMost(0, 'readers'),
          note: `${readers.megabytes.toFixed(0)} MB resident with all of them`,
        },
      ];
    } finally {
      await server.close();
    }
  },
};

interface Server {
  url: string;
  model: ModelServer;
  workspace: string;
  close(): Promise<void>;
}

async function startServer(bench: Bench): Promise<Server> {
  const model = await startModelServer({ keepBodies: true });
  model.otherwise(({ body }): Script => {
    const said = body.contents.at(-1)?.parts.map((part) => part.text ?? '') ?? [];
    if (said.includes('work')) return [callTool('read_file', { file_path: 'read-1.txt' })];
    if (said.includes('hold')) return [{ do: 'wait', until: held.gate }, text('now')];
    return [text('ok')];
  });
  const { workspace } = bench.place;
  const env = { ...cleanEnv(bench.place, model.url), CODER_AGENT_WORKSPACE_PATH: workspace };
  const child = spawn(process.execPath, [SERVER], {
    cwd: workspace,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the A2A server ended')));
    child.stdout.on('data', (bytes) => resolve(/listens on (\S+)/.exec(String(bytes))?.[1] ?? ''));
  });
  return {
    url,
    model,
    workspace,
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      await model.close();
    },
  };
}

const held = makeGate();

function makeGate() {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { gate, open: () => open() };
}

/** Messages to one task, after it is warm. */
async function firstEvents(server: Server): Promise<number[]> {
  const [begin] = await stream(server, 'message/stream', message('hello', { workspace: server.workspace }));
  const taskId = begin?.result.id ?? '';
  const times: number[] = [];
  for (let count = 0; count < FIRST_EVENTS + 5; count++) {
    const started = performance.now();
    let first = Number.NaN;
    await stream(server, 'message/stream', message('hello', { taskId }), ({ result }) => {
      if (Number.isNaN(first) && result.metadata?.coderAgent?.kind === 'text-content')
        first = performance.now() - started;
    });
    if (count >= 5) times.push(first);
  }
  return times;
}

async function idleTasks(server: Server): Promise<number> {
  for (let begun = 0; begun < IDLE; begun += 10) {
    const some = Array.from({ length: 10 }, () =>
      stream(server, 'message/stream', message('hello', { workspace: server.workspace })),
    );
    await Promise.all(some);
  }
  return memoryOf(server);
}

async function workingTasks(server: Server): Promise<number> {
  const folders = Array.from({ length: WORKING }, (_, index) => {
    const folder = join(server.workspace, `task-${index}`);
    mkdirSync(folder, { recursive: true });
    return folder;
  });
  const all = await Promise.all(
    folders.map((workspace) => stream(server, 'message/stream', message('work', { workspace }))),
  );
  return all.filter((events) => events.at(-1)?.result.status?.state !== 'input-required').length;
}

async function heldReaders(server: Server): Promise<{ lost: number; megabytes: number }> {
  const owner = stream(server, 'message/stream', message('hold', { workspace: server.workspace }));
  await server.model.waitForRequest(server.model.requests.length + 1);
  const list = await ask(server, 'GET', 'tasks?pageSize=1&status=TASK_STATE_WORKING', {
    'a2a-version': '1.0',
  });
  const { id } = (JSON.parse(list) as { tasks: { id: string }[] }).tasks[0] ?? { id: '' };
  const readers = Array.from({ length: READERS }, () => stream(server, 'tasks/resubscribe', { id }));
  for (let open = 0, looks = 0; open < READERS; looks++) {
    if (looks === 2_000) throw new Error(`only ${open} of ${READERS} readers are connected`);
    const metrics = await ask(server, 'GET', 'metrics');
    open = Number(/^a2a_streams (\d+)/m.exec(metrics)?.[1]) - 1;
  }
  const megabytes = await memoryOf(server);
  held.open();
  const all = await Promise.all(readers);
  await owner;
  return { lost: all.filter((events) => events.at(-1)?.result.final !== true).length, megabytes };
}

async function memoryOf(server: Server): Promise<number> {
  const metrics = await ask(server, 'GET', 'metrics');
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(metrics)?.[1]) / 2 ** 20;
}

interface Event {
  result: {
    id?: string;
    final?: boolean;
    status?: { state: string };
    metadata?: { coderAgent?: { kind: string } };
  };
}

let messages = 0;

function message(words: string, { taskId, workspace }: { taskId?: string; workspace?: string }) {
  const metadata = workspace && { coderAgent: { kind: 'agent-settings', workspacePath: workspace } };
  const parts = [{ kind: 'text', text: words }];
  return { message: { kind: 'message', role: 'user', messageId: `b${++messages}`, parts, taskId, metadata } };
}

/** The events of one request, until the stream ends. */
function stream(
  server: Server,
  method: string,
  params: object,
  onEvent?: (event: Event) => void,
): Promise<Event[]> {
  const events: Event[] = [];
  let rest = '';
  const read = (piece: string) => {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block.split('\n').find((line) => line.startsWith('data: '));
      if (!data) continue;
      const event = JSON.parse(data.slice(6)) as Event;
      events.push(event);
      onEvent?.(event);
    }
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return send(server, 'POST', '', { 'content-type': 'application/json' }, body, read).then(() => events);
}

async function ask(server: Server, method: string, path: string, headers = {}): Promise<string> {
  let answer = '';
  await send(server, method, path, headers, undefined, (piece) => {
    answer += piece;
  });
  return answer;
}

function send(
  { url }: Server,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | undefined,
  onText: (piece: string) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(url + path, { method, headers, agent: false }, (incoming) => {
      incoming.setEncoding('utf8');
      incoming.on('data', onText);
      incoming.once('end', resolve);
      incoming.once('error', reject);
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
