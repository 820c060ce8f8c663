import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { curate } from '../../context/curate/curate.js';
import { toMessages } from '../reading/convert.js';
import { readSession } from '../reading/read-session.js';
import { isSessionFileName } from '../session-names.js';
import { seeded, type TestSessions, testSessions } from '../sessions.test-helper.js';
import { ChatRecordingService } from './chat-recording-service.js';

/** SESSION_KILLS sets more, for a long manual run. */
const KILLS = Number(process.env['SESSION_KILLS'] ?? 48);
const KILLS_OF_ONE_SESSION = 24;
const here = dirname(fileURLToPath(import.meta.url));

describe('a recording process', () => {
  let sessions: TestSessions;
  let program: string;

  beforeEach(() => {
    sessions = testSessions();
  });
  afterEach(() => sessions.cleanup());
  beforeAll(async () => {
    const result = await build({
      entryPoints: [join(here, 'kill-child.test-helper.ts')],
      bundle: true,
      platform: 'node',
      format: 'cjs',
      write: false,
    });
    program = result.outputFiles[0]?.text ?? '';
  }, 60_000);

  it(`loses nothing it reported as recorded when it is killed ${KILLS} times`, async () => {
    const child = sessions.put('child.cjs', program);
    const random = seeded(20_261_115);
    let count = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      // A new session now and then keeps the files small.
      if (kill % KILLS_OF_ONE_SESSION === 0) count = 0;
      const chatsDir = join(sessions.base, `chats-${Math.floor(kill / KILLS_OF_ONE_SESSION)}`);
      const told = await killAfter(
        child,
        chatsDir,
        count,
        1 + Math.floor(random() * 12),
        Math.floor(random() * 2_000),
      );
      const files = readdirSync(chatsDir).filter(isSessionFileName);
      expect(files, `after kill ${kill}`).toHaveLength(1);
      const record = readSession(join(chatsDir, files[0] ?? ''));
      expect(record.messageCount, `after kill ${kill}`).toBeGreaterThanOrEqual(told.messages);
      // At most the record that was being written is missing, and it is reported.
      expect(record.messageCount).toBeLessThanOrEqual(told.messages + 1);
      expect(record.messages).toHaveLength(record.messageCount);
      expect(told.warnings).toEqual([]);
      const calls = new Map(
        record.messages.flatMap(({ toolCalls = [] }) => toolCalls.map((call) => [call.id, call])),
      );
      for (const id of told.results) expect(calls.get(id)?.status, id).toBe('success');
      const messages = toMessages(record);
      expect(curate(messages).length).toBeGreaterThan(0);
      expect(unanswered(messages)).toEqual([]);
      count = record.messageCount;
    }
  }, 300_000);

  it.runIf(process.platform !== 'win32')(
    'stops with one warning when there is no room, and the file stays whole',
    () => {
      const child = sessions.put('child.cjs', program);
      const limit = 'ulimit -f 300; exec "$0" "$@"';
      const run = spawnSync(
        'bash',
        ['-c', limit, process.execPath, child, 'record', sessions.places.chatsDir, '0', '40'],
        {
          encoding: 'utf8',
        },
      );
      expect(run.status, run.stderr).toBe(0);
      const lines = run.stdout.trimEnd().split('\n');
      expect(lines.at(-1)).toBe('end false');
      expect(lines.filter((line) => line.startsWith('warning'))).toHaveLength(1);
      const [name = ''] = readdirSync(sessions.places.chatsDir).filter(isSessionFileName);
      const record = readSession(join(sessions.places.chatsDir, name));
      expect(record.problems).toBeUndefined();
      const before = lines.slice(
        0,
        lines.findIndex((line) => line.startsWith('warning')),
      );
      expect(record.messageCount).toBe(before.filter((line) => line.startsWith('said')).length);
    },
    60_000,
  );

  it('locks its session: another process that resumes it gets a copy, and afterwards the session', async () => {
    const child = sessions.put('child.cjs', program);
    const running = spawn(process.execPath, [child, 'record', sessions.places.chatsDir, '0', '1000000'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    // Not read further: the program waits for room in the pipe.
    await new Promise((resolve) => running.stdout.once('readable', resolve));
    const path = join(
      sessions.places.chatsDir,
      readdirSync(sessions.places.chatsDir).filter(isSessionFileName)[0] ?? '',
    );
    const copy = ChatRecordingService.resume(path, sessions.options());
    expect(copy.conversationFile).not.toBe(path);
    expect(sessions.warnings).toEqual([expect.stringContaining('open in another process')]);
    copy.recordUser('meanwhile');
    copy.close();
    const ended = new Promise((resolve) => running.once('close', resolve));
    running.kill('SIGKILL');
    running.stdout.resume();
    await ended;
    const after = ChatRecordingService.resume(path, sessions.options());
    expect(after.conversationFile).toBe(path);
    after.recordUser('afterwards');
    after.close();
    expect(readSession(path).messages.at(-1)?.content).toBe('afterwards');
    expect(readSession(copy.conversationFile ?? '').messages.at(-1)?.content).toBe('meanwhile');
    expect(sessions.warnings).toHaveLength(1);
  }, 60_000);

  interface Told {
    messages: number;
    results: string[];
    warnings: string[];
  }

  function killAfter(
    child: string,
    chatsDir: string,
    first: number,
    count: number,
    turns: number,
  ): Promise<Told> {
    const running = spawn(process.execPath, [child, 'record', chatsDir, String(first), '1000000'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let problem = '';
    running.stderr.setEncoding('utf8').on('data', (text: string) => {
      problem += text;
    });
    let isDue = false;
    running.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (isDue || output.split('\n').length <= count) return;
      isDue = true;
      later(turns, () => running.kill('SIGKILL'));
    });
    return new Promise((resolve, reject) => {
      running.on('error', reject);
      running.on('close', (code, signal) => {
        // It never ends by itself, so an own exit is a failure.
        if (signal !== 'SIGKILL')
          return reject(new Error(`ended with ${code}: ${problem}${output.slice(-500)}`));
        const lines = output.split('\n').slice(0, -1);
        const of = (word: string) =>
          lines
            .filter((line) => line.startsWith(`${word} `))
            .map((line) => line.slice(word.length + 1).trim());
        resolve({ messages: first + of('said').length, results: of('result'), warnings: of('warning') });
      });
    });
  }
});

function unanswered(messages: ReturnType<typeof toMessages>): string[] {
  const answered = new Set(
    messages.flatMap(({ parts }) => parts.map(({ functionResponse }) => functionResponse?.id)),
  );
  return messages.flatMap(({ parts }) =>
    parts.flatMap(({ functionCall }) =>
      functionCall && !answered.has(functionCall.id) ? [functionCall.id ?? ''] : [],
    ),
  );
}

function later(turns: number, work: () => void): void {
  if (turns <= 0) work();
  else setImmediate(() => later(turns - 1, work));
}
