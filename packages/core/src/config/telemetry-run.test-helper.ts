/** An engine in this process, with telemetry into a file and a model that answers by the role of the request. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestConfig, readTelemetryFile, type TelemetryRecords } from '@gemini-cli/test-utils';
import { onTestFinished } from 'vitest';
import type { ConfigParameters } from '../engine/parameters.js';
import type { GenerateRequest } from '../model/content-generator.js';
import { type FakeAnswer, FakeModel } from '../model/wrappers/fake.js';
import { environmentOf, processVariables } from '../platform/environment.js';
import type { Config } from './config.js';

/** One answer for all requests of a role, or one for each. */
type Answers = Record<string, FakeAnswer | FakeAnswer[]>;

export interface RunOptions extends Partial<ConfigParameters> {
  /** Absent: the model is asked over the network. */
  answers?: Answers;
  variables?: Record<string, string>;
}

export interface TelemetryRun {
  config: Config;
  /** Writes a file of the workspace. */
  write(name: string, content: string): void;
  /** Ends the session. */
  records(): Promise<TelemetryRecords>;
}

const USAGE = {
  promptTokenCount: 100,
  candidatesTokenCount: 10,
  cachedContentTokenCount: 50,
  thoughtsTokenCount: 5,
  toolUsePromptTokenCount: 5,
  totalTokenCount: 170,
};

export const call = (name: string, args: Record<string, unknown>): FakeAnswer => ({
  calls: [{ name, args }],
});

export async function recordedRun({
  answers,
  variables = {},
  ...options
}: RunOptions): Promise<TelemetryRun> {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-telemetry-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'telemetry.log');
  const config = await createTestConfig({
    model: 'gemini-2.5-flash',
    // Copies of files are made in a thread.
    undo: { enabled: false },
    environment: environmentOf(
      { ...processVariables(), GEMINI_CLI_HOME: folder, GEMINI_FORCE_FILE_STORAGE: 'true', ...variables },
      folder,
    ),
    telemetry: {
      settings: { destination: { kind: 'file', path }, logPrompts: true, traces: true },
      writeConsole: () => undefined,
      phases: () => [{ name: 'start', durationMs: 1 }],
    },
    ...(answers && { contentGenerator: new FakeModel(Array.from({ length: 500 }, () => byRole(answers))) }),
    ...options,
  });
  return {
    config,
    write: (name, content) => writeFileSync(join(config.getTargetDir(), name), content),
    records: async () => {
      await config.shutdown();
      return readTelemetryFile(path);
    },
  };
}

function byRole(answers: Answers): (request: GenerateRequest) => FakeAnswer {
  return (request) => {
    const answer = answers[request.role];
    const next = Array.isArray(answer) ? answer.shift() : answer;
    if (next === undefined) return new Error(`no answer for ${request.role}`);
    const given = typeof next === 'function' ? next(request) : next;
    return typeof given === 'string' ? counted(given) : given;
  };
}

function counted(text: string): FakeAnswer {
  const content = { role: 'model' as const, parts: [{ text }] };
  return [{ candidates: [{ content, finishReason: 'STOP' }], usageMetadata: USAGE }];
}
