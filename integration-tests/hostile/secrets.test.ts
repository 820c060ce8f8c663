/** No secret is in anything the program writes. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiError, callTool, type TestRig, testRig, text, toolResponses } from '../test-utils.js';

const TOKEN = 'c0rrect-h0rse/battery+staple';
const GITHUB = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

async function secretRig(): Promise<TestRig> {
  return testRig({
    env: { MY_TOKEN: TOKEN, NO_COLOR: '1', GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    files: { 'notes.txt': `token ${TOKEN}\ngithub ${GITHUB}\n` },
  });
}

describe('Secrets', () => {
  it('of the environment and by their shape are in no file and no output, even when the stream splits them', async () => {
    const rig = await secretRig();
    const [log, recording, telemetry] = ['debug.log', 'recording.jsonl', 'telemetry.log'].map((name) =>
      join(rig.home, name),
    ) as [string, string, string];
    rig.model.replies(
      [callTool('read_file', { file_path: 'notes.txt' })],
      [
        text('It is c0rrect-h0'),
        text('rse/battery+staple and ghp_a1B2c3D4e5F6a1B2'),
        text(`${GITHUB.slice(20)}.`),
      ],
    );
    const run = await rig.cli('-d', '-p', `is ${TOKEN} right?`, '--record-responses', recording, {
      env: {
        GEMINI_DEBUG_LOG_FILE: log,
        GEMINI_TELEMETRY_ENABLED: 'true',
        GEMINI_TELEMETRY_TARGET: 'local',
        GEMINI_TELEMETRY_OUTFILE: telemetry,
        GEMINI_TELEMETRY_TRACES_ENABLED: 'true',
      },
    });
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toBe('It is [redacted] and [redacted].\n');
    const written = [
      run.stdout,
      run.stderr,
      ...[recording, telemetry].map((path) => readFileSync(path, 'utf8')),
    ];
    if (existsSync(log)) written.push(readFileSync(log, 'utf8'));
    for (const content of written) {
      for (const secret of [TOKEN, encodeURIComponent(TOKEN), GITHUB]) expect(content).not.toContain(secret);
    }
    expect(statSync(recording).mode & 0o077).toBe(0);
  });

  it.each(['json', 'stream-json'])('are in no event of the format %s', async (format) => {
    const rig = await secretRig();
    rig.model.replies(
      [callTool('read_file', { file_path: 'notes.txt' })],
      [text(`${TOKEN.slice(0, 9)}`), text(TOKEN.slice(9))],
    );
    const { stdout, stderr } = await rig.cli('-p', 'read', '-o', format);
    expect(stdout + stderr).not.toContain(TOKEN.slice(3, -3));
    expect(stdout).toContain('[redacted]');
  });

  it('in tool output do not reach the model, unless the user allows it', async () => {
    const rig = await secretRig();
    const read = [[callTool('read_file', { file_path: 'notes.txt' })], [text('done')]];
    rig.model.replies(...read);
    await rig.cli('-p', 'read');
    expect(toolResponses(rig)[0]?.response.output).toContain('token [redacted]');
    rig.writeHome('settings.json', JSON.stringify({ security: { maskSecretsForModel: false } }));
    rig.model.replies(...read);
    await rig.cli('-p', 'read');
    expect(toolResponses(rig)[0]?.response.output).toContain(TOKEN);
  });

  it("in the user's headers are masked when a server repeats them", async () => {
    const rig = await secretRig();
    rig.model.replies([apiError(400, 'Who is t0ps3cret-gateway?')]);
    const env = { GEMINI_CLI_CUSTOM_HEADERS: 'X-Team: blue, Authorization: Bearer t0ps3cret-gateway' };
    const { stderr } = await rig.cli('-p', 'hi', { env });
    expect(stderr).toContain('Who is [redacted]?');
  });

  it.each(['text', 'json', 'stream-json'])('are in no error and no echo of the format %s', async (format) => {
    const rig = await secretRig();
    rig.model.replies([apiError(400, `API key ${TOKEN} not valid`)]);
    const { exitCode, stdout, stderr } = await rig.cli('-d', '-p', `is ${TOKEN} right?`, '-o', format);
    expect(exitCode).toBe(1);
    expect(stdout + stderr).not.toContain(TOKEN);
    expect(stdout + stderr).toContain('API key [redacted] not valid');
  });
});
