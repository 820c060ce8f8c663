import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '@gemini-cli/core';
import { executeCommand, noticesTo, tempDir } from '@gemini-cli/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseCommandLine } from '../command-line/parse.js';
import { openRunFolder } from './run-folder.js';
import { startEngine } from './start-engine.js';

let directory: ReturnType<typeof tempDir>;

beforeEach(() => {
  directory = tempDir();
  vi.spyOn(process, 'cwd').mockReturnValue(directory.path);
  vi.stubEnv('GEMINI_CLI_HOME', directory.path);
  vi.stubEnv('GEMINI_CLI_TRUSTED_FOLDERS_PATH', join(directory.path, 'trusted.json'));
  judge('TRUST_FOLDER');
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  directory.cleanup();
});

interface EngineOptions {
  env?: NodeJS.ProcessEnv;
  interactive?: boolean;
  warnings?: string[];
}

async function engine(
  argv: string[],
  { env: more = {}, interactive = false, warnings = [] }: EngineOptions,
): Promise<Config> {
  const env: NodeJS.ProcessEnv = {
    GEMINI_CLI_HOME: directory.path,
    GEMINI_CLI_TRUSTED_FOLDERS_PATH: join(directory.path, 'trusted.json'),
    ...more,
  };
  const { flags } = parseCommandLine(['--model', 'offline', ...argv]).line;
  const warn = (message: string) => warnings.push(message);
  const folder = await openRunFolder({ flags, env, warn });
  const frontEnd = { interactive, ...noticesTo(warn) };
  return startEngine({ flags, folder, session: { sessionId: 's' }, frontEnd, warn });
}

describe('startEngine with an .env file in the folder', () => {
  it('gives its variables to the engine and to commands, and does not change process.env', async () => {
    writeFileSync(join(directory.path, '.env'), 'COLOUR_OF_TEST=teal\n');
    const { PATH } = process.env;
    const config = await engine(['--yolo'], { env: { PATH } });
    expect(config.getEnvironment().variables['COLOUR_OF_TEST']).toBe('teal');
    expect((await executeCommand(config, 'echo "it is $COLOUR_OF_TEST"')).output).toContain('it is teal');
    expect(process.env['COLOUR_OF_TEST']).toBeUndefined();
    await config.shutdown();
  });
});

function judge(level: string): void {
  writeFileSync(join(directory.path, 'trusted.json'), JSON.stringify({ [directory.path]: level }));
}
