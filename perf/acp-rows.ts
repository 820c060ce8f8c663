/** Measures what an editor waits for: the first answer of `gemini --acp`, a prompt beside the model's time, many updates. */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { text } from '../packages/test-utils/src/model-script.js';
import { startModelServer } from '../packages/test-utils/src/model-server.js';
import { bundleScript } from './bundle-script.js';
import { atMost, type Group, statOf, times } from './row.js';
import { cleanEnv, type Place } from './subjects.js';

const PROMPTS = 20;
const UPDATES = 5000;
/** The least a Node program can do: read a line, write a line. */
const BARE = 'process.stdin.once("data",()=>{process.stdout.write("{}\\n");process.exit()})';

interface Message {
  id?: number;
  at: number;
  result?: { sessionId?: string };
  params?: object;
}

export const ACP_ROWS: Record<string, Group> = {
  async acp(bench) {
    const command = bench.subjects.find(({ name }) => name === 'program')?.command ?? [];
    const model = await startModelServer();
    const env = cleanEnv(bench.place, model.url);
    const start = (words: string[]) => new Peer(words, env, bench.place);
    try {
      const ours: number[] = [];
      const bare: number[] = [];
      for (let run = -1; run < bench.runs; run++) {
        const first = await answerTime(start([...command, '--acp']));
        const floor = await answerTime(start([process.execPath, '-e', BARE]));
        if (run < 0) continue;
        ours.push(first);
        bare.push(floor);
      }

      const added: number[] = [];
      const editor = start([...command, '--acp', '-m', 'gemini-2.5-flash']);
      await editor.request('initialize', { protocolVersion: 1 });
      const { result } = await editor.request('session/new', { cwd: bench.place.workspace, mcpServers: [] });
      const sessionId = result?.sessionId;
      for (let count = -1; count < PROMPTS; count++) {
        let asked = Number.NaN;
        model.replies([text('ok')]);
        model.onRequest = () => {
          asked = performance.now();
        };
        const prompt = [{ type: 'text', text: `number ${count}` }];
        const sent = performance.now();
        await editor.request('session/prompt', { sessionId, prompt });
        if (count >= 0) added.push(asked - sent);
      }

      await editor.close();
      const updates = await updateTimes(bench.runs);
      return [
        {
          name: 'initialize of an editor answered',
          unit: 'ms',
          program: statOf(ours),
          base: { name: 'a line answered by Node', value: statOf(bare) },
          ...times(2),
        },
        {
          name: 'a prompt of an editor, until the model is asked',
          unit: 'ms',
          program: statOf(added),
          ...atMost(10, 'ms'),
          note: 'in a session that has begun',
        },
        {
          name: '5,000 updates to an editor, in order',
          unit: 'ms',
          program: statOf(updates),
          ...atMost(1000, 'ms'),
          note: 'sent, written, read and parsed in one process',
        },
      ];
    } finally {
      await model.close();
    }
  },
};

async function updateTimes(runs: number): Promise<number[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-acp-bench-')));
  try {
    const script = await bundleScript('acp-run', folder);
    const values: number[] = [];
    for (let run = 0; run < runs; run++) {
      const { stdout } = await promisify(execFile)(process.execPath, [script, String(UPDATES)]);
      values.push(JSON.parse(stdout));
    }
    return values;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function answerTime(peer: Peer): Promise<number> {
  await peer.request('initialize', { protocolVersion: 1 });
  const at = (peer.messages[0]?.at ?? Number.NaN) - peer.started;
  await peer.close();
  return at;
}

/** A program that is spoken to in lines. */
class Peer {
  readonly messages: Message[] = [];
  readonly started = performance.now();
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly ended: Promise<void>;
  private heard: (message: Message) => void = () => undefined;
  private count = 0;

  constructor([file = '', ...args]: string[], env: Record<string, string>, { workspace }: Place) {
    this.child = spawn(file, args, { cwd: workspace, env });
    this.child.stderr.resume();
    this.ended = new Promise((resolve) => this.child.once('close', () => resolve()));
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      const message: Message = { ...JSON.parse(line), at: performance.now() };
      this.messages.push(message);
      this.heard(message);
    });
  }

  /** @returns the answer; a program without ids answers with its first line */
  request(method: string, params: object): Promise<Message> {
    const id = ++this.count;
    return new Promise((resolve) => {
      this.heard = (message) => {
        if (message.params === undefined && (message.id ?? id) === id) resolve(message);
      };
      this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  }

  async close(): Promise<void> {
    this.child.stdin.end();
    await this.ended;
  }
}
