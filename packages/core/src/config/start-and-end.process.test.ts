/** What a Config leaves behind: nothing, when its start fails, and nothing after its shutdown. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { afterAll, describe, expect, it } from 'vitest';
import { EventStream } from '../bus/event-stream.js';
import type { ConfigParameters } from '../engine/parameters.js';
import { environmentOf } from '../platform/environment.js';
import { Config } from './config.js';

const folder = tempDir();
afterAll(() => folder.cleanup());

function make(parameters: Partial<ConfigParameters> = {}): Config {
  const variables = { GEMINI_CLI_HOME: join(folder.path, 'home'), PATH: process.env['PATH'] };
  return new Config({
    sessionId: 'first',
    targetDir: folder.path,
    debugMode: false,
    model: 'offline',
    interactive: false,
    environment: environmentOf(variables, folder.path),
    ...parameters,
  });
}
describe('shutdown', () => {
  it('withdraws what the user is asked at the start', async () => {
    mkdirSync(join(folder.path, '.gemini/policies'), { recursive: true });
    writeFileSync(
      join(folder.path, '.gemini/policies/a.toml'),
      '[[rule]]\ntoolName = "glob"\ndecision = "allow"\npriority = 1\n',
    );
    const events = new EventStream();
    const config = make({ events, interactive: true });
    const asked = new Promise<void>((resolve) => {
      events.subscribe(({ type }) => void (type === 'question' && resolve()), { answers: true });
    });
    const started = config.initialize();
    await asked;
    await config.shutdown();
    await started;
    expect(events.questions.open).toBeUndefined();
  });
});
