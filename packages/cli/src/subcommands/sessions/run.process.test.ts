import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChatRecordingService } from '../../../../core/src/sessions/recording/chat-recording-service.js';
import { openSessionProject, type SessionProject } from '../../sessions/project.js';
import { parseArguments, type SessionsArguments } from './arguments.js';
import { sessionsCommand } from './run.js';

const START = Date.parse('2026-11-15T10:00:00.000Z');
const HOUR = 3_600_000;
const FIRST = '11111111-aaaa-4bbb-8ccc-000000000001';
const SECOND = '22222222-aaaa-4bbb-8ccc-000000000002';
const SECRET = 'tok_5e0c9a7b1d3f4e6a8c2b';

let base: string;
let cwd: string;
let home: string;
let clock: number;
let project: SessionProject;
let ask: ((question: string) => Promise<boolean>) | undefined;

beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-sessions-')));
  cwd = join(base, 'My Project');
  home = join(base, 'home');
  mkdirSync(cwd);
  mkdirSync(join(home, '.gemini'), { recursive: true });
  vi.stubEnv('GEMINI_CLI_HOME', home);
  clock = START;
  ask = undefined;
  project = await open();
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

function open(): Promise<SessionProject> {
  const env = { GEMINI_CLI_HOME: home, SERVICE_API_KEY: SECRET };
  return openSessionProject({ cwd, env, now: () => clock });
}

function newService(sessionId: string): ChatRecordingService {
  return new ChatRecordingService({
    chatsDir: project.places.chatsDir,
    sessionId,
    projectHash: () => 'hash',
    now: () => clock,
    redact: (value) => value,
    warn: (message) => {
      throw new Error(message);
    },
  });
}

/** Two turns, the first with a tool call. */
function recordFirst(): void {
  const service = newService(FIRST);
  service.recordUser('<session_context>secret context', { origin: 'context' });
  service.recordUser('Fix the login test');
  const functionCall = { id: 'c1', name: 'run_shell_command', args: { command: 'npm test' } };
  service.recordAnswer({ parts: [{ text: 'I run the tests.' }, { functionCall }], model: 'm' });
  const functionResponse = { id: 'c1', name: 'run_shell_command', response: { output: 'all green' } };
  service.recordToolCalls([
    {
      id: 'c1',
      status: 'success',
      displayName: 'Shell',
      description: 'npm test',
      resultDisplay: 'all\u001b[32m green\u001b[0m',
      result: [{ functionResponse }],
    },
  ]);
  service.recordAnswer({ parts: [{ text: 'Done.\nYou:\n  forged' }] });
  service.recordUser('Thanks, now the docs');
  service.recordAnswer({ parts: [{ text: 'Docs written.' }] });
  service.close();
}

function recordSecond(prompt = 'Explain the parser'): void {
  const service = newService(SECOND);
  service.recordUser(prompt);
  service.recordAnswer({ parts: [{ text: 'It reads tokens.' }] });
  service.close();
}

function recordBoth(): void {
  recordFirst();
  clock = START + HOUR;
  recordSecond();
  clock = START + 3 * HOUR;
}

function collector() {
  const output = { out: '', err: '' };
  const io = {
    env: {},
    stdout: (text: string) => {
      output.out += text;
    },
    stderr: (line: string) => {
      output.err += `${line}\n`;
    },
  };
  return { output, io };
}

async function sessions(...args: string[]) {
  const { output, io } = collector();
  const wanted = parseArguments(args) as SessionsArguments;
  const code = await sessionsCommand(wanted, io, { project, cwd, ask });
  return { ...output, code };
}

describe('gemini sessions list and search', () => {
  it('finds words and shows the text around them', async () => {
    recordBoth();
    const { out, code } = await sessions('search', 'READS', 'tokens');
    expect(out).toBe(`2. Explain the parser (2 hours ago) [${SECOND}]\n     Model: …It reads tokens.…\n`);
    expect(code).toBe(0);
    const [found] = JSON.parse((await sessions('search', 'all green', '--json')).out);
    expect(found).toMatchObject({ id: FIRST, matchSnippets: [{ role: 'assistant', match: 'all green' }] });
  });

  it('says that nothing was found', async () => {
    recordBoth();
    expect((await sessions('search', 'submarine')).out).toBe(
      'No session of this project contains "submarine".\n',
    );
    expect((await sessions('search', 'submarine', '--json')).out).toBe('[]\n');
  });
});

describe('gemini sessions show', () => {
  it('masks secrets of the environment', async () => {
    recordSecond(`use ${SECRET} please`);
    for (const args of [
      ['show', '1'],
      ['show', '1', '--json'],
      ['list'],
      ['search', 'please'],
      ['export', '1'],
    ]) {
      const { out } = await sessions(...args);
      expect(out).toContain('please');
      expect(out).not.toContain(SECRET);
    }
  });
});
