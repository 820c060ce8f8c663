/** The result of a command in words, for the model and for the user. */
import { wrapUntrusted } from '../../base/untrusted-context.js';
import { lastCharacters } from '../../platform/process/text-sink.js';
import type { ShellResult } from '../../platform/shell/shell-execution.js';
import type { ToolResultDisplay } from '../../protocol/tool-display.js';
import { ToolErrorType } from '../tool-error.js';
import type { ToolResult } from '../tools.js';

export interface ResultContext {
  command: string;
  /** The model asked for the background; otherwise the user sent the command there. */
  isBackground: boolean;
  timeoutMs?: number;
  inactivitySeconds: number;
  backgroundAfterSeconds: number;
  /** Debug mode: the user sees the text for the model. */
  debug: boolean;
}

export function shellToolResult(result: ShellResult, context: ResultContext): ToolResult {
  const output = result.output.trimEnd();
  const llmContent = modelText({ ...result, output }, context);
  const returnDisplay = context.debug ? llmContent : userDisplay({ ...result, output });
  const { error, endedBy, exitCode, signal, pid } = result;
  if (error) {
    const message = `Command could not be started: ${error.message}`;
    return { llmContent, returnDisplay, error: { message, type: ToolErrorType.SHELL_EXECUTE_ERROR } };
  }
  if (endedBy === 'background') {
    const data = { pid, command: context.command, initialOutput: output };
    const isWaiting = result.backgroundReason === 'waiting';
    return { llmContent, returnDisplay, data: { ...data, ...(isWaiting && { waitingForInput: true }) } };
  }
  if (exitCode === 0 && !endedBy) return { llmContent, returnDisplay };
  return { llmContent, returnDisplay, data: { exitCode, isError: true, ...(signal && { signal }) } };
}

function modelText(result: ShellResult, context: ResultContext): string {
  const { output, endedBy } = result;
  if (!endedBy) return wrapUntrusted(factLines(result).join('\n'));
  const sentence = endSentence(result, context);
  if (output === '') return `${sentence} There was no output until then.`;
  const isWaiting = result.backgroundReason === 'waiting';
  return isWaiting
    ? `${sentence} Its last lines:\n${wrapUntrusted(lastLines(output))}`
    : `${sentence} Output until then:\n${wrapUntrusted(output)}`;
}

function factLines({ output, error, exitCode, signal, backgroundPids, pid }: ShellResult): string[] {
  return [
    `Output: ${output || '(empty)'}`,
    ...(error ? [`Error: ${error.message}`] : []),
    ...(exitCode ? [`Exit Code: ${exitCode}`] : []),
    ...(signal ? [`Signal: ${signal}`] : []),
    ...(backgroundPids.length > 0 ? [`Background PIDs: ${backgroundPids.join(', ')}`] : []),
    ...(pid ? [`Process Group PGID: ${pid}`] : []),
  ];
}

/** A program's question is at the end of its output; read_background_output shows the rest. */
const QUESTION_LINES = 50;

function lastLines(output: string): string {
  return output.split('\n').slice(-QUESTION_LINES).join('\n');
}

function endSentence(result: ShellResult, context: ResultContext): string {
  const { endedBy } = result;
  switch (endedBy) {
    case 'timeout':
      return `The command was stopped: it did not end within ${context.timeoutMs} ms.`;
    case 'inactivity':
      return (
        `The command was stopped: it printed nothing for ${duration(context.inactivitySeconds)}. ` +
        'If it waits for input, run it with non-interactive flags; if it is a server, use is_background.'
      );
    case 'background':
      return backgroundSentence(result, context);
    default:
      return 'The user cancelled the command before it ended.';
  }
}

function backgroundSentence({ backgroundReason, pid }: ShellResult, context: ResultContext): string {
  const use = 'Use read_background_output to see what it prints.';
  if (backgroundReason === 'waiting') {
    return (
      `The command is waiting for input (PID: ${pid}). It stays in the background: answer it with ` +
      'send_process_input, wait with read_background_output and delay_ms, or end it with stop_process.'
    );
  }
  if (backgroundReason === 'slow') {
    const after = duration(context.backgroundAfterSeconds);
    return `The command still runs after ${after} and was moved to the background (PID: ${pid}). ${use}`;
  }
  const how = context.isBackground
    ? 'The command runs in the background'
    : 'The user moved the command to the background';
  return `${how} (PID: ${pid}). ${use}`;
}

function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} seconds`;
  const minutes = Number((seconds / 60).toFixed(1));
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** The display is kept in the history on screen and on disk. */
const MAX_DISPLAY = 100_000;

function userDisplay({
  output,
  grid,
  error,
  endedBy,
  exitCode,
  signal,
  pid,
  backgroundReason,
}: ShellResult): ToolResultDisplay {
  if (backgroundReason === 'waiting') return `Command is waiting for input (PID: ${pid}).`;
  if (endedBy === 'background') return `Command moved to background (PID: ${pid}).`;
  if (grid && grid.length > 0) return grid;
  if (output) return lastCharacters(output, MAX_DISPLAY);
  if (error) return `Command failed: ${error.message}`;
  if (endedBy === 'abort') return 'Command cancelled.';
  if (signal) return `Command terminated by signal: ${signal}`;
  return exitCode ? `Command exited with code: ${exitCode}` : '';
}
