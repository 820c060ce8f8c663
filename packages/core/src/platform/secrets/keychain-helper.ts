/**
 * Sends one request to the OS keychain, in a separate process. The native call blocks its thread as long as the
 * keychain waits (a locked one may ask for a password in a hidden dialog). A worker thread would not help:
 * Node joins its workers when it exits, so a blocked one keeps the program from ending. A process can be killed.
 */
import type { ChildProcess } from 'node:child_process';
import { temporaryDirectory } from '../environment.js';

export type KeychainQuestion =
  | { verb: 'get' | 'delete'; service: string; entry: string }
  /** The names of the entries, as JSON. */
  | { verb: 'list'; service: string }
  | { verb: 'set'; service: string; entry: string; secret: string };

export type KeychainAnswer =
  | { kind: 'value'; value: string | boolean | null }
  | { kind: 'error'; message: string }
  | { kind: 'silence' };

const MAX_ANSWER = 1024 * 1024;

/** The secret is sent through pipes: other processes can read arguments and environments. */
export async function askKeychain(
  question: KeychainQuestion,
  { modulePath, env, timeoutMs }: { modulePath: string; env: NodeJS.ProcessEnv; timeoutMs: number },
): Promise<KeychainAnswer> {
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, ['-e', HELPER], {
    // Not in the project, so that nothing of it can be loaded.
    cwd: temporaryDirectory(env),
    env: helperEnvironment(env),
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  return collect(child, JSON.stringify({ ...question, module: modulePath }), timeoutMs);
}

function collect(child: ChildProcess, question: string, timeoutMs: number): Promise<KeychainAnswer> {
  return new Promise((resolve) => {
    let output = '';
    const kill = () => child.kill('SIGKILL');
    const finish = (answer: KeychainAnswer) => {
      clearTimeout(timer);
      process.removeListener('exit', kill);
      kill();
      resolve(answer);
    };
    const timer = setTimeout(() => finish({ kind: 'silence' }), timeoutMs);
    process.once('exit', kill);
    child.on('error', (error) => finish({ kind: 'error', message: error.message }));
    child.on('close', () => finish(readAnswer(output)));
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > MAX_ANSWER) finish({ kind: 'error', message: 'its answer is too long' });
    });
    // It may exit before it has read the request; `close` handles that.
    child.stdin?.on('error', () => {}).end(question);
  });
}

function readAnswer(output: string): KeychainAnswer {
  try {
    const answer: unknown = JSON.parse(output);
    if (typeof answer !== 'object' || answer === null) throw new Error('not an object');
    if ('error' in answer) return { kind: 'error', message: String(answer.error) };
    const value = 'value' in answer ? answer.value : null;
    if (typeof value === 'string' || typeof value === 'boolean') return { kind: 'value', value };
    return { kind: 'value', value: null };
  } catch {
    return { kind: 'error', message: 'the keychain helper ended without an answer' };
  }
}

const KEPT = new Set(
  `
  PATH HOME USER LOGNAME LANG DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS
  XDG_RUNTIME_DIR XDG_CURRENT_DESKTOP XDG_DATA_DIRS SYSTEMROOT WINDIR APPDATA LOCALAPPDATA USERPROFILE
  TEMP TMP
`
    .trim()
    .split(/\s+/),
);

/** Only what a keychain needs; not our secrets, not NODE_OPTIONS. */
function helperEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => KEPT.has(name.toUpperCase())));
}

/**
 * On Linux only the Secret Service: otherwise the library would fall back to the kernel's keyring, which is lost at
 * the next boot.
 */
const HELPER = `
const pieces = [];
process.stdin.on('data', (piece) => pieces.push(piece)).on('end', () => {
  let answer;
  try {
    const question = JSON.parse(Buffer.concat(pieces).toString('utf8'));
    const { Entry, findCredentials } = require(question.module);
    const entry = () => new Entry(question.service, question.entry, { linux: { store: 'secret-service' } });
    const names = () => findCredentials(question.service).map(({ account }) => account);
    if (question.verb === 'list') answer = { value: JSON.stringify(names()) };
    else if (question.verb === 'get') answer = { value: entry().getPassword() };
    else if (question.verb === 'delete') answer = { value: entry().deletePassword() };
    else answer = { value: (entry().setPassword(question.secret), true) };
  } catch (error) {
    answer = { error: String((error && error.message) || error) };
  }
  process.stdout.write(JSON.stringify(answer));
});
`;
