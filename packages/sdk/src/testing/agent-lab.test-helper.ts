/** A folder, a home and a scripted model for tests of the SDK, removed at the end of the test. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { GeminiCliAgent } from '../agent/agent.js';
import '../agent/start-engine.js';
import '../agent/run-prompt.js';
import type { GeminiCliAgentOptions } from '../agent/options.js';
import type { AgentStreamEvent } from '../events/types.js';
import { type FakeModel, type FakeTurn, fakeModel } from './fake-model.js';

export interface Lab {
  folder: string;
  home: string;
  model: FakeModel;
  agent(options?: GeminiCliAgentOptions): GeminiCliAgent;
  write(path: string, text: string): string;
  read(path: string): string;
}

export function lab(turns: readonly FakeTurn[] = []): Lab {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sdk-')));
  const folder = join(root, 'work');
  const home = join(root, 'home');
  mkdirSync(folder);
  mkdirSync(home);
  const agents: GeminiCliAgent[] = [];
  onTestFinished(async () => {
    for (const agent of agents) await agent.dispose();
    rmSync(root, { recursive: true, force: true });
  });
  const model = fakeModel(turns);
  return {
    folder,
    home,
    model,
    agent: (options = {}) => {
      const agent = new GeminiCliAgent({
        cwd: folder,
        trust: true,
        env: { HOME: home, PATH: process.env['PATH'], GEMINI_CLI_HOME: home },
        fakeResponses: model,
        ...options,
      });
      agents.push(agent);
      return agent;
    },
    write: (path, text) => {
      const full = join(folder, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, text);
      return full;
    },
    read: (path) => readFileSync(join(folder, path), 'utf8'),
  };
}

export function call(name: string, args: Record<string, unknown> = {}): FakeTurn {
  return { calls: [{ name, args }] };
}

export async function eventsOf(stream: AsyncIterable<AgentStreamEvent>): Promise<AgentStreamEvent[]> {
  const events: AgentStreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** What the model was told about its calls, in the last request. */
export function told({ requests }: FakeModel): string[] {
  const parts = requests.at(-1)?.contents.flatMap((content) => content.parts) ?? [];
  return parts.flatMap(({ functionResponse }) => {
    const { output, error } = functionResponse?.response ?? {};
    return functionResponse ? [String(error ?? output)] : [];
  });
}
