/** Runs `!command` in the user's shell; shows its output and adds it to the model's history. */
import { type AnsiOutput, type Config, messageOf } from '@gemini-cli/core';
import type { ToolView } from '../../../history/item.js';
import type { Store } from '../../store/store.js';
import { StreamBuffer } from './stream-buffer.js';

const TERMINAL_ROWS = 30;
const MAX_SENT = 10_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface ShellCommandOptions {
  store: Store;
  config: Config;
  signal: AbortSignal;
  now: () => number;
  /** Of the box that shows the output. */
  columns: number;
  onPid?: (pid: number | undefined) => void;
}

export async function runShellCommand(command: string, options: ShellCommandOptions): Promise<void> {
  const { store, config, signal, now, columns, onPid } = options;
  store.dispatch({ type: 'item_added', item: { type: 'user_shell', text: command } });
  const began = now();
  const view: ToolView = {
    callId: `shell-${began}`,
    name: 'run_shell_command',
    displayName: 'Shell',
    description: command,
    status: 'executing',
  };
  const show = (tool: ToolView) =>
    store.dispatch({ type: 'pending_set', item: { type: 'tool_group', tools: [tool] } });
  show(view);
  const buffer = new StreamBuffer((event) => {
    if (event.type === 'tool_output') show({ ...view, display: event.output });
  });
  const onOutput = (output: string | AnsiOutput) =>
    buffer.push({ type: 'tool_output', callId: view.callId, output });
  const service = config.getShellExecutionService();
  const { pid, result } = await service.execute({
    command,
    cwd: config.getTargetDir(),
    // Only the user decides how long it may take.
    settings: {
      ...config.getShellSettings(),
      terminalSize: { columns, rows: TERMINAL_ROWS },
      waitingAfterMs: LONGEST_TIMER_MS,
      backgroundAfterSeconds: 0,
      inactivityTimeoutSeconds: 0,
    },
    isTrustedFolder: config.isTrustedFolder(),
    environment: { GEMINI_CLI: '1' },
    signal,
    onOutput,
  });
  onPid?.(pid);
  const ended = await result;
  onPid?.(undefined);
  buffer.flush();
  const output = ended.isBinary ? `[binary output, ${ended.output.length} characters]` : ended.output;
  const how = endingOf(ended, command);
  const failed = ended.error !== undefined || (ended.exitCode !== 0 && ended.endedBy === undefined);
  store.dispatch({ type: 'pending_set', item: undefined });
  store.dispatch({
    type: 'item_added',
    item: {
      type: 'tool_group',
      tools: [
        {
          ...view,
          status: ended.endedBy === 'abort' ? 'cancelled' : failed ? 'error' : 'success',
          display: ended.grid ?? ([output, how].filter(Boolean).join('\n') || '(no output)'),
          durationMs: now() - began,
          ...(failed && how && { error: how }),
        },
      ],
    },
  });
  if (/^\s*cd(\s|$)/.test(command)) {
    const text =
      'The folder is the same as before: a "cd" ends with its own shell. Use --include-directories or start there.';
    store.dispatch({ type: 'item_added', item: { type: 'warning', text } });
  }
  await tellModel(config, command, [output, how].filter(Boolean).join('\n'));
}

function endingOf(
  {
    error,
    exitCode,
    signal,
    endedBy,
    pid,
  }: { error?: Error; exitCode: number | null; signal: string | null; endedBy?: string; pid?: number },
  command: string,
): string {
  if (error) return `The command could not be started: ${messageOf(error)}`;
  if (endedBy === 'abort') return 'Cancelled.';
  if (endedBy === 'background') return `It continues in the background (PID ${pid}); /tasks shows it.`;
  if (endedBy) return `Stopped: ${endedBy}.`;
  if (signal) return `Ended by ${signal}.`;
  return exitCode === 0 || exitCode === null
    ? ''
    : `[Shell command '${command}' exited with code ${exitCode}]`;
}

/** With the next prompt the model knows what the user did. */
async function tellModel(config: Config, command: string, output: string): Promise<void> {
  const quote = (text: string) => text.replaceAll('`', '\\`');
  const masked = config.maskForModel(output);
  const sent = masked.length > MAX_SENT ? `${masked.slice(0, MAX_SENT)}\n… (cut)` : masked;
  const text =
    `I ran the following shell command:\n\`\`\`sh\n${quote(command)}\n\`\`\`\n\n` +
    `This produced the following result:\n\`\`\`\n${quote(sent)}\n\`\`\``;
  const client = config.getGeminiClient();
  await client.initialize();
  client.getChat().addHistory({ role: 'user', origin: 'shell', parts: [{ text }] });
}
