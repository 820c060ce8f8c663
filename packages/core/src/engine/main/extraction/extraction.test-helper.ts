/** For tests: a project with recorded sessions, a scripted clock, and a run against a real server. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { callTool, type ModelServer, type Script, startModelServer } from '@gemini-cli/test-utils';
import { onTestFinished, vi } from 'vitest';
import {
  type ExtractionPorts,
  type ExtractionReport,
  extractMemories,
} from '../../../agent/extraction/service.js';
import { type MemoryLab, memoryLab } from '../../../memory/auto/auto-memory.test-helper.js';
import { environmentOf } from '../../../platform/environment.js';
import { Redactor } from '../../../platform/redaction/redact.js';
import { globalGeminiDir, Storage } from '../../../platform/storage/storage.js';
import { ChatRecordingService } from '../../../sessions/recording/chat-recording-service.js';
import { composeEngine } from '../../compose-engine.js';
import { Project } from '../../project.js';
import { runExtractionAgent } from './extraction-agent.js';

export const HOUR_MS = 60 * 60 * 1000;
const START = Date.parse('2026-11-15T10:00:00.000Z');

export interface ExtractionLab extends MemoryLab {
  server: ModelServer;
  time: { now: number };
  notices: string[];
  /** Records a session that ended so many hours ago. @returns its id */
  record(options?: { prompts?: readonly string[]; hoursAgo?: number; id?: string }): string;
  run(options?: Partial<ExtractionPorts> & { signal?: AbortSignal }): Promise<ExtractionReport>;
  /** All that the model was sent. */
  sent(): string;
  /** What the tools said to the model, in order. */
  answers(): string[];
}

export async function extractionLab(...replies: Script[]): Promise<ExtractionLab> {
  const lab = memoryLab();
  vi.stubEnv('GEMINI_CLI_HOME', join(lab.root, 'home'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const server = await startModelServer();
  onTestFinished(() => server.close());
  server.replies(...replies);
  const projectRoot = join(lab.root, 'project');
  mkdirSync(projectRoot, { recursive: true });
  const time = { now: START };
  // Pauses between attempts are over at once, time limits never.
  const sleep = (ms: number) => (ms < 60_000 ? Promise.resolve() : new Promise<void>(() => undefined));
  const clock = { now: () => time.now, sleep };
  const variables = {
    ...process.env,
    GEMINI_API_KEY: 'k',
    GOOGLE_GEMINI_BASE_URL: server.url,
  };
  const engine = await composeEngine(
    new Project({
      sessionId: 'current',
      targetDir: projectRoot,
      debugMode: false,
      model: 'gemini-3-flash-preview',
      interactive: true,
      environment: environmentOf(variables, projectRoot),
    }),
    { clock },
  );
  onTestFinished(() => engine.close());
  const storage = new Storage({
    globalDir: globalGeminiDir(process.env),
    projectRoot,
    projectId: 'project',
  });
  const chatsDir = storage.getChatsDir();
  const notices: string[] = [];
  const redactor = new Redactor();
  let sessions = 0;
  return {
    ...lab,
    server,
    time,
    notices,
    record: ({ prompts = tenPrompts(), hoursAgo = 4, id } = {}) => {
      const sessionId = id ?? `${String(++sessions).padStart(8, '0')}-aaaa-4bbb-8ccc-000000000001`;
      const service = new ChatRecordingService({
        chatsDir,
        sessionId,
        projectHash: () => 'hash',
        now: () => time.now - hoursAgo * HOUR_MS,
        redact: (value) => value,
        warn: (message) => {
          throw new Error(message);
        },
      });
      for (const prompt of prompts) {
        service.recordUser(prompt);
        service.recordAnswer({ parts: [{ text: 'done' }] });
      }
      service.close();
      return sessionId;
    },
    run: ({ signal = new AbortController().signal, ...more } = {}) =>
      extractMemories(
        {
          places: lab.places,
          sessionPlaces: { chatsDir, readOnlyDirs: [], projectTempDir: storage.getProjectTempDir() },
          storage,
          environment: engine.environment,
          currentSessionId: 'current',
          clock,
          redact: (text) => redactor.redact(text),
          model: () => ({
            model: 'gemini-3-flash-preview',
            standIns: ['gemini-2.5-flash'],
            settings: {},
          }),
          runAgent: (request, until) => runExtractionAgent(engine, request, until),
          notice: (message) => notices.push(message),
          ...more,
        },
        signal,
      ),
    sent: () => JSON.stringify(server.requests.map(({ body }) => body)),
    answers: () =>
      (server.requests.at(-1)?.body.contents ?? []).flatMap(({ parts }) =>
        parts.flatMap(({ functionResponse }) =>
          functionResponse
            ? [String(functionResponse.response['output'] ?? functionResponse.response['error'])]
            : [],
        ),
      ),
  };
}

/** The agent's last call. */
export const done = (response: string) => callTool('complete_task', { response });

export function tenPrompts(first = 'Please always use tabs'): string[] {
  return Array.from({ length: 10 }, (_, n) => (n === 0 ? first : `next step ${n}`));
}
