/** What the engine asks of the person at the screen, as dialogs and notices. */
import { spawn } from 'node:child_process';
import type { App } from './app.js';
import type { EnginePorts } from './engine-host.js';

export interface ScreenLease {
  /** Gives the terminal to a program and takes it back. */
  withTerminal<T>(work: () => Promise<T>): Promise<T>;
}

const INTENTS = new Set([
  'retry_always',
  'retry_once',
  'retry_later',
  'retry_with_credits',
  'upgrade',
  'stop',
]);
/** The service has no room at the moment; a quota is used up for longer. */
const BUSY_CLASSES = new Set(['overloaded', 'unavailable', 'rate_limit']);
type Intent = Awaited<ReturnType<NonNullable<EnginePorts['onFallback']>>>;

export function enginePorts(app: App, screen: ScreenLease): EnginePorts {
  const { general } = app.settings;
  return {
    editor: {
      ...(general?.preferredEditor && { preferred: general.preferredEditor }),
      ...(general?.openEditorInNewWindow !== undefined && { newWindow: general.openEditorInNewWindow }),
      open: ({ file, args, isTerminal }, signal) => {
        const run = () => runInForeground(file, args, signal);
        return isTerminal ? screen.withTerminal(run) : run();
      },
    },
    onFallback: async ({ from, to, reason, errorClass }) => {
      const kind = BUSY_CLASSES.has(errorClass) ? 'capacity' : 'quota';
      const situation = { kind, model: from, reason, fallback: to };
      const answer = await app.ask('fallback', { situation });
      return isIntent(answer) ? answer : 'stop';
    },
    onWorkspacePolicies: async ({ files, state, allowRules }) => {
      const answer = await app.ask('policies', { situation: { kind: 'policies', files, state, allowRules } });
      return answer === 'accept';
    },
    onBackgroundCompleted: ({ kind, text }) => {
      if (kind === 'inject') void app.conversation.submit(text);
      else app.add({ type: 'info', text });
    },
  };
}

function isIntent(answer: unknown): answer is Intent {
  return typeof answer === 'string' && INTENTS.has(answer);
}

export function runInForeground(file: string, args: readonly string[], signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'inherit', ...(signal && { signal }) });
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${file} ended with ${code}`))));
  });
}
