/** The events and metrics that only the whole program records; the engine's are in its own tests. */
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { missingFrom, PROGRAM_RUNS } from '../packages/core/src/telemetry/catalog/produced-by.test-helper.js';
import {
  apiError,
  callTool,
  eventsNamed,
  readTelemetryFile,
  type TestRig,
  testRig,
  text,
} from './test-utils.js';
import { command, isReady, LONG } from './ui/ui.js';

function toFile(rig: TestRig): { outfile: string; env: Record<string, string> } {
  const outfile = join(dirname(rig.home), 'telemetry.log');
  return { outfile, env: { GEMINI_TELEMETRY_ENABLED: 'true', GEMINI_TELEMETRY_OUTFILE: outfile } };
}

it('records what belongs to a headless run that fails', async () => {
  const rig = await testRig({ files: { 'a.txt': 'one\n' } });
  const folder = join(dirname(rig.home), 'bin');
  mkdirSync(folder);
  const broken = rig.write(join(folder, 'rg'), '#!/bin/sh\necho "rg: no memory" >&2\nexit 2\n');
  chmodSync(broken, 0o755);
  rig.model.replies([callTool('grep_search', { pattern: 'one' })], [apiError(400, 'bad request')]);
  const { outfile, env } = toFile(rig);
  const run = await rig.cli('-p', 'x', { env: { ...env, PATH: `${folder}:${process.env['PATH']}` } });
  expect(run.exitCode).toBe(1);
  const records = readTelemetryFile(outfile);
  expect(missingFrom(records, PROGRAM_RUNS['a headless run that fails'])).toEqual([]);
  expect(eventsNamed(records, 'gemini_cli.ripgrep_fallback')).toMatchObject([
    { error: expect.stringContaining('rg: no memory') },
  ]);
});

it('records what belongs to a screen', async () => {
  const rig = await testRig({
    env: { GEMINI_API_KEY: undefined, GEMINI_FORCE_FILE_STORAGE: 'true' },
    settings: { security: { auth: { selectedType: 'gemini-api-key' } } },
  });
  const { outfile, env } = toFile(rig);
  const screen = await rig.screen([], { env, rows: 24 });
  await screen.waitFor('Use Gemini API Key', LONG);
  screen.press('Enter');
  await screen.waitFor('Gemini API key', LONG);
  screen.type('AIzaSyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q');
  screen.press('Enter');
  await screen.waitFor(isReady, LONG);
  // No key sends so many parameters.
  screen.type(`\x1b[${'1;'.repeat(200)}`);
  // Otherwise the next letter would end the sequence.
  const isRecorded = () => expect(readFileSync(outfile, 'utf8')).toContain('kitty_sequence_overflow');
  await vi.waitFor(isRecorded, { timeout: LONG.timeoutMs });
  rig.model.replies([text(`${'| a | b |\n|---|---|\n| 1 | 2 |\n\n'.repeat(8_000)}the end`)]);
  await command(screen, 'long');
  await screen.waitFor('the end', LONG);
  await command(screen, '/privacy');
  await screen.waitFor(/─ Privacy/, LONG);
  const isCut = (seen: string) => seen.split('\n').length <= 7 && seen.includes('─ Privacy');
  screen.resize(80, 7);
  await screen.waitFor(isCut, LONG);
  screen.resize(80, 24);
  screen.press('Esc');
  await screen.waitFor(isReady, LONG);
  await command(screen, '/quit');
  await screen.exit;
  const records = readTelemetryFile(outfile);
  expect(missingFrom(records, PROGRAM_RUNS['a screen'])).toEqual([]);
  expect(eventsNamed(records, 'gemini_cli.slash_command')).toContainEqual(
    expect.objectContaining({ command: 'privacy', status: 'success' }),
  );
  expect(eventsNamed(records, 'gemini_cli.token_storage.initialization')).toContainEqual(
    expect.objectContaining({ type: 'file', forced: true }),
  );
});
