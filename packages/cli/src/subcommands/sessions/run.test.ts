import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSessions } from '@gemini-cli/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChatRecordingService } from '../../../../core/src/sessions/recording/chat-recording-service.js';
import type { FlagValues } from '../../command-line/flags.js';
import { openSessionProject, type SessionProject } from '../../sessions/project.js';
import { parseArguments, type SessionsArguments } from './arguments.js';
import { answerFlags } from './flags.js';
import run, { sessionsCommand } from './run.js';

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

async function flags(values: FlagValues) {
  vi.stubEnv('NO_COLOR', '1');
  const { output, io } = collector();
  const code = await answerFlags(values, io, open);
  return { ...output, code };
}

const LIST =
  '\nAvailable sessions for this project (2):\n' +
  `  1. Fix the login test (3 hours ago) [${FIRST}]\n` +
  `  2. Explain the parser (2 hours ago) [${SECOND}]\n`;

describe('--list-sessions', () => {
  it('lists the sessions of the project, oldest start first', async () => {
    recordBoth();
    expect(await flags({ 'list-sessions': true })).toEqual({ out: LIST, err: '', code: 0 });
  });

  it('says that there are no sessions', async () => {
    const out = 'No previous sessions found for this project.\n';
    expect(await flags({ 'list-sessions': true })).toEqual({ out, err: '', code: 0 });
  });

  it('cuts long titles and removes their control sequences', async () => {
    recordSecond(`evil\u001b[2J\u009b31m\n${'x'.repeat(200)}`);
    const { out } = await flags({ 'list-sessions': true });
    const title = /^ {2}1\. (.*) \(Just now\) \[/m.exec(out)?.[1] ?? '';
    expect(title).toMatch(/^evil x+\.\.\.$/);
    expect(title).toHaveLength(100);
    expect(out).not.toMatch(/[\u001b\u009b]/);
  });

  it('uses general.sessionStorageDir of the user', async () => {
    const sessionStorageDir = join(base, 'elsewhere');
    writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify({ general: { sessionStorageDir } }));
    project = await open();
    expect(project.places.chatsDir).toBe(join(sessionStorageDir, 'my-project/chats'));
    recordSecond();
    expect((await flags({ 'list-sessions': true })).out).toContain(SECOND);
  });

  it('ignores general.sessionStorageDir of the folder', async () => {
    mkdirSync(join(cwd, '.gemini'));
    const general = { sessionStorageDir: join(base, 'trap') };
    writeFileSync(join(cwd, '.gemini/settings.json'), JSON.stringify({ general }));
    expect((await open()).places.chatsDir).toBe(join(home, '.gemini/tmp/my-project/chats'));
  });
});

describe('--delete-session', () => {
  it('deletes by number and names the deleted session', async () => {
    recordBoth();
    const out = 'Deleted session 1: Fix the login test (3 hours ago)\n';
    expect(await flags({ 'delete-session': '1' })).toEqual({ out, err: '', code: 0 });
    expect(project.list().map(({ id }) => id)).toEqual([SECOND]);
  });

  it.each(['9', 'nothing', '', '../chats'])('ends with 42 if "%s" names no session', async (wanted) => {
    recordBoth();
    const { out, err, code } = await flags({ 'delete-session': wanted });
    expect([out, code]).toEqual(['', 42]);
    expect(err).toMatch(/^Invalid session identifier "[^\n]*\n$/);
    expect(project.list()).toHaveLength(2);
  });

  it('ends with 42 if there are no sessions', async () => {
    const err = 'No previous sessions found for this project.\n';
    expect(await flags({ 'delete-session': '1' })).toEqual({ out: '', err, code: 42 });
  });

  it('does not delete a session that is being recorded', async () => {
    const service = newService(FIRST);
    service.recordUser('still talking');
    const { err, code } = await flags({ 'delete-session': FIRST });
    service.close();
    expect(code).toBe(1);
    expect(err).toContain('open in another process');
    expect(project.list()).toHaveLength(1);
  });
});

describe('gemini sessions list and search', () => {
  it('lists sessions as --list-sessions does, and as JSON', async () => {
    recordBoth();
    expect(await sessions('list')).toEqual({ out: LIST, err: '', code: 0 });
    const entries = JSON.parse((await sessions('list', '--json')).out);
    expect(entries).toMatchObject([
      { index: 1, id: FIRST, displayName: 'Fix the login test', userMessageCount: 2 },
      { index: 2, id: SECOND, startTime: '2026-11-15T11:00:00.000Z' },
    ]);
    expect(existsSync(entries[0].path)).toBe(true);
  });
});

describe('gemini sessions show', () => {
  it('shows each speaker, without context messages and control sequences', async () => {
    recordBoth();
    expect((await sessions('show', '1')).out).toBe(
      [
        'Session 1: Fix the login test',
        `${FIRST}, 5 messages, 3 hours ago`,
        '',
        'You:\n  Fix the login test\n',
        'Model:\n  I run the tests.\n',
        'Tool Shell (success):\n  npm test\n  all green\n',
        'Model:\n  Done.\n  You:\n    forged\n',
        'You:\n  Thanks, now the docs\n',
        'Model:\n  Docs written.\n',
      ].join('\n'),
    );
  });

  it('takes "latest" and the beginning of an id', async () => {
    recordBoth();
    expect((await sessions('show', 'latest')).out).toContain(SECOND);
    expect((await sessions('show', FIRST.slice(0, 6))).out).toContain(FIRST);
    await expect(sessions('show', '12345')).rejects.toThrow('Invalid session identifier "12345"');
  });

  it('warns about damage beside the result', async () => {
    recordSecond();
    const [session] = project.list();
    writeFileSync(session?.path ?? '', 'not a record\n{"torn', { flag: 'a' });
    const { out, err, code } = await sessions('show', '1');
    expect(out).toContain('It reads tokens.');
    expect(err).toContain('1 damaged line was skipped.');
    expect(code).toBe(0);
  });
});

describe('gemini sessions export', () => {
  it('writes JSON that can be imported again', async () => {
    recordBoth();
    const { out } = await sessions('export', '1', 'copy.json');
    expect(out).toBe('Session 1 written to copy.json.\n');
    const file = join(cwd, 'copy.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ sessionId: FIRST, kind: 'main' });
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    const { importSession, readSession } = await loadSessions();
    const imported = readSession(importSession(file, project.writing).path);
    expect(imported.messages.at(-1)?.content).toEqual([{ text: 'Docs written.' }]);
  });

  it('writes Markdown for its file extension or with --format', async () => {
    recordBoth();
    await sessions('export', 'latest', 'talk.md');
    const text = '## USER 🧑‍💻\n\nExplain the parser\n\n---\n\n## MODEL ✨\n\nIt reads tokens.\n';
    expect(readFileSync(join(cwd, 'talk.md'), 'utf8')).toBe(text);
    expect((await sessions('export', '2', '--format', 'md')).out).toBe(text);
    expect((await sessions('export', '1', '-', '--format=markdown')).out).toContain('**Tool Response**:');
  });

  it('writes an HTML page for its file extension or with --format', async () => {
    recordBoth();
    await sessions('export', '1', 'talk.html');
    const page = readFileSync(join(cwd, 'talk.html'), 'utf8');
    expect(page).toMatch(/^<!doctype html>[\s\S]*Fix the login test[\s\S]*all green[\s\S]*<\/html>\n$/);
    expect(page).not.toContain('secret context');
    expect((await sessions('export', '1', '--format', 'html')).out).toBe(page);
    const told = JSON.parse((await sessions('export', '1', 'b.html', '--json')).out);
    expect(told).toEqual({ id: FIRST, file: 'b.html', format: 'html' });
    expect(readFileSync(join(cwd, 'b.html'), 'utf8')).toBe(page);
  });

  it('replaces a file only with --force', async () => {
    recordBoth();
    const file = join(cwd, 'mine.json');
    writeFileSync(file, 'mine');
    await expect(sessions('export', '1', 'mine.json')).rejects.toThrow('mine.json exists already');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    await sessions('export', '1', 'mine.json', '--force');
    expect(JSON.parse(readFileSync(file, 'utf8')).sessionId).toBe(FIRST);
  });

  it('names the file that cannot be written', async () => {
    recordBoth();
    await expect(sessions('export', '1', 'no/such/x.json')).rejects.toThrow('Cannot write no/such/x.json: ');
  });
});

describe('gemini sessions import', () => {
  it('imports a file as a session under a new id', async () => {
    recordBoth();
    await sessions('export', '1', 'copy.json');
    const { out } = await sessions('import', 'copy.json');
    expect(out.trim()).not.toBe(FIRST);
    expect((await sessions('show', out.trim())).out).toContain('Docs written.');
    const { id, path } = JSON.parse((await sessions('import', 'copy.json', '--json')).out);
    expect(existsSync(path)).toBe(true);
    expect(project.list().map((session) => session.id)).toContain(id);
  });

  it('names the file that cannot be read', async () => {
    writeFileSync(join(cwd, 'bad.json'), 'nonsense');
    await expect(sessions('import', 'bad.json')).rejects.toThrow('bad.json');
    await expect(sessions('import', 'none.json')).rejects.toThrow('none.json');
  });
});

describe('gemini sessions delete, rename, fork', () => {
  it('deletes only after the user agrees', async () => {
    recordBoth();
    const unasked = await sessions('delete', '1');
    expect([unasked.code, unasked.out]).toEqual([1, '']);
    expect(unasked.err).toContain('add --yes');
    const questions: string[] = [];
    let answer = false;
    ask = async (question) => {
      questions.push(question);
      return answer;
    };
    expect(await sessions('delete', '1')).toEqual({ out: '', err: 'Nothing was deleted.\n', code: 1 });
    expect(project.list()).toHaveLength(2);
    answer = true;
    expect((await sessions('delete', '1')).code).toBe(0);
    expect(questions).toEqual(Array(2).fill('Delete session 1: Fix the login test (3 hours ago)? (y/N) '));
    expect(await sessions('delete', 'latest', '-y', '--json')).toMatchObject({
      out: `{\n  "deleted": "${SECOND}"\n}\n`,
      code: 0,
    });
    expect(project.list()).toEqual([]);
  });

  it('renames a session, which lists then show', async () => {
    recordBoth();
    const { out } = await sessions('rename', '2', 'Parser', 'lesson');
    expect(out).toBe('Renamed session 2 to: Parser lesson\n');
    expect((await sessions('list')).out).toContain('  2. Parser lesson (2 hours ago)');
  });

  it('copies a session up to a turn and prints the new id', async () => {
    recordBoth();
    const id = (await sessions('fork', '1', '--turn', '1')).out.trim();
    expect(id).not.toBe(FIRST);
    const { out } = await sessions('show', id);
    expect(out).toContain('all green');
    expect(out).not.toContain('the docs');
    await expect(sessions('fork', '1', '--turn', '7')).rejects.toThrow('no turn 7; it has 2');
  });
});

describe('gemini sessions', () => {
  it('works on the current folder and reports wrong arguments', async () => {
    const { output, io } = collector();
    expect(await run(['burn'], io)).toBe(1);
    expect(output.err).toContain('gemini sessions: unknown command "burn"');
    expect(await run(['list'], io)).toBe(0);
    expect(output.out).toBe('No previous sessions found for this project.\n');
  });
});
