/** Runs one prompt headlessly: start, converse, clean up, report, exit code. */
import {
  type Config,
  type ErrorInfo,
  FatalCancellationError,
  isDebug,
  killAllChildren,
  loadWorktrees,
  messageOf,
  randomUuid,
  requestedModel,
  routeError,
  setLogSink,
  toErrorInfo,
} from '@gemini-cli/core';
import type { FlagValues } from '../command-line/flags.js';
import type { CommandLine } from '../command-line/parse.js';
import { UsageError } from '../engine/usage-error.js';
import { createLogSink } from '../output/debug-log.js';
import { standardOutput } from '../output/output.js';
import { converse, type RunningEngine } from './converse.js';
import { Report } from './report.js';
import { Interruption, SIGNAL_EXIT_CODES, type StopSignal } from './signals.js';
import type { StdinText } from './stdin.js';

export interface FinishedRun {
  exitCode: number;
  usedTools: boolean;
}

export async function runHeadless(line: CommandLine, stdin: Promise<StdinText>): Promise<FinishedRun> {
  const report = createReport(line.flags);
  const exitCode = await run(line, stdin, report);
  return { exitCode, usedTools: report.usedTools };
}

async function run(line: CommandLine, stdin: Promise<StdinText>, report: Report): Promise<number> {
  const debug = isDebug(line.flags, process.env);
  if (debug) startLog(report);
  const engine: RunningEngine = {};
  const closingLines: string[] = [];
  const finish: Finish = (error, exitCode, cause) => {
    if (debug && cause instanceof Error) standardOutput.stderr(report.mask(cause.stack ?? String(cause)));
    const code = endReport(report, error, exitCode);
    for (const line of closingLines) standardOutput.stderr(line);
    return code;
  };
  const interruption = watchProcess(finish);
  const work = converse({ line, stdin, report, signal: interruption.signal, engine });
  const ending = await interruption.settle(
    work.then(
      (failure) => ({ failure, cause: undefined }),
      (cause: unknown) => ({ failure: toErrorInfo(cause), cause }),
    ),
  );
  interruption.limit();
  if (ending?.failure) engine.config?.getTelemetry().count('gemini_cli.exit.fail.count', 1, {});
  interruption.abort();
  await interruption.settle(shutDown(engine.config, report));
  closingLines.push(...(await worktreeLines(engine, report.identity.sessionId)));
  if (ending?.cause instanceof UsageError) closingLines.push('', ...(await helpLines()));
  interruption.dispose();

  const route = ending?.cause === undefined ? undefined : routeError(ending.cause, 'program');
  if (route?.to === 'none') return route.exitCode;
  if (ending && !ending.failure) return finish(undefined, 0);
  const { received } = interruption;
  if (received) return finish(cancellation(received), SIGNAL_EXIT_CODES[received]);
  return finish(ending?.failure, ending?.failure?.exitCode ?? 1, ending?.cause);
}

function startLog(report: Report): void {
  setLogSink(createLogSink(standardOutput, process.env['GEMINI_DEBUG_LOG_FILE']), {
    redact: (text) => report.mask(text),
    redactValue: (value) => report.mask(value),
  });
}

/** Writes the end of the report and gives the exit code. */
type Finish = (error: ErrorInfo | undefined, exitCode: number, cause?: unknown) => number;

function createReport(flags: FlagValues): Report {
  return new Report({
    format: flags['output-format'] ?? 'text',
    identity: {
      sessionId: flags['session-id'] ?? randomUuid(),
      model: requestedModel(flags, process.env, {}),
    },
    raw: flags['raw-output'] === true || flags['accept-raw-output-risk'] === true,
    output: standardOutput,
  });
}

/** Ends the run with a report, and without child processes, after a signal or a crash of this program. */
function watchProcess(finish: Finish): Interruption {
  const crash = (error: unknown) => {
    killAllChildren();
    process.exit(finish(toErrorInfo(error), routeError(error, 'program').exitCode, error));
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  return new Interruption({
    onSlow: (signal) => {
      if (signal === 'SIGINT') standardOutput.stderr('Cancelling...');
    },
    onSecond: (signal) => {
      killAllChildren();
      process.exit(finish(cancellation(signal), SIGNAL_EXIT_CODES[signal]));
    },
  });
}

function cancellation(signal: StopSignal): ErrorInfo {
  const message = signal === 'SIGINT' ? 'Operation cancelled.' : `Ended by ${signal}.`;
  return toErrorInfo(new FatalCancellationError(message, undefined, SIGNAL_EXIT_CODES[signal]));
}

/** Writing the report may fail: a closed pipe is a normal end, a full disk is not. */
function endReport(report: Report, error: ErrorInfo | undefined, exitCode: number): number {
  try {
    report.end(error);
    return exitCode;
  } catch (problem) {
    const route = routeError(problem, 'program');
    if (route.to === 'none') return route.exitCode;
    standardOutput.stderr(messageOf(problem));
    return exitCode || route.exitCode;
  }
}

/** The worktree stays after the run: tells how to continue in it and how to remove it. */
async function worktreeLines({ config, worktree }: RunningEngine, sessionId: string): Promise<string[]> {
  if (!worktree) return [];
  const { worktreeFarewell } = await loadWorktrees();
  return worktreeFarewell(worktree, config && sessionId);
}

async function helpLines(): Promise<string[]> {
  const { helpText } = await import('../command-line/help.js');
  return helpText().trimEnd().split('\n');
}

/** A failed clean-up is only a warning: the result of the run still counts. */
async function shutDown(config: Config | undefined, report: Report): Promise<void> {
  try {
    await config?.shutdown();
  } catch (error) {
    report.warn(`Cleaning up failed: ${messageOf(error)}`);
  } finally {
    killAllChildren();
  }
}
