/** Runs an interactive session, from the first paint to the goodbye. */
import {
  killAllChildren,
  processVariables,
  Redactor,
  routeError,
  setLogSink,
  toErrorInfo,
  type Variables,
} from '@gemini-cli/core';
import type { CommandLine } from '../command-line/parse.js';
import { openRunFolder, type RunFolder } from '../engine/run-folder.js';
import { SandboxDue, sandboxOf } from '../engine/start-engine.js';
import { UsageError } from '../engine/usage-error.js';
import { createLogSink } from '../output/debug-log.js';
import { type FirstPaint, TYPED_VARIABLE, writeToTerminal } from '../terminal/first-paint.js';
import { App } from './app/app.js';
import { dropLostTerminal, guardExits } from './app/terminal/exit-guard.js';

/** @returns the exit code, after the terminal is restored */
export async function runInteractive(
  line: CommandLine,
  firstPaint: FirstPaint,
  keepCompiledCode: (usedTools: boolean) => void,
): Promise<number> {
  const warnings: string[] = [];
  let folder: RunFolder;
  try {
    folder = await openRunFolder({
      flags: line.flags,
      env: processVariables(),
      warn: (text) => warnings.push(text),
      keepsEditor: true,
    });
    const enter = await sandboxBeforeScreen(line, folder);
    if (enter) {
      const typed = firstPaint.release().toString('base64');
      for (const text of warnings) notify(text);
      return await enter({ notify, variables: { [TYPED_VARIABLE]: typed } }).finally(dropLostTerminal);
    }
  } catch (error) {
    firstPaint.release();
    const exitCode = report(error);
    if (error instanceof UsageError) await printHelp();
    return exitCode;
  }
  // A resize while modules were loaded is still to be handled: the frame would be drawn for the old size.
  await new Promise((done) => setImmediate(done));
  const app = new App({ line, firstPaint, folder, now: () => Date.now() });
  startLog(folder.environment.variables, (text) => app.noteProblem(text));
  for (const text of warnings) app.notice(text);
  const unguard = guard(app);
  app.begin();
  try {
    const exitCode = await app.run(() => keepCompiledCode(true));
    app.end();
    return exitCode;
  } catch (error) {
    app.end();
    if (!(error instanceof SandboxDue)) return report(error);
    unguard();
    process.stdin.pause();
    return error.enter({ notify }).finally(dropLostTerminal).catch(report);
  }
}

/** Without a file there is no log: the screen has no place for it. */
function startLog(variables: Variables, stderr: (line: string) => void): void {
  const file = variables['GEMINI_DEBUG_LOG_FILE'];
  if (!file) return;
  const redactor = new Redactor();
  redactor.addEnvironment(variables);
  setLogSink(createLogSink({ stderr }, file), redactor);
}

/** Asking about trust needs the screen, and saving the answer needs the files outside: then the sandbox comes later. */
async function sandboxBeforeScreen(line: CommandLine, folder: RunFolder) {
  const { trust } = folder;
  if (trust.source === 'none' && !trust.trusted) return undefined;
  return sandboxOf({ flags: line.flags, folder, isTerminal: true });
}

function notify(text: string): void {
  writeToTerminal(`${text}\r\n`);
}

async function printHelp(): Promise<void> {
  const { helpText } = await import('../command-line/help.js');
  writeToTerminal(`\r\n${helpText().replaceAll('\n', '\r\n')}`);
}

function guard(app: App): () => void {
  return guardExits(process, {
    restore: () => {
      try {
        app.restore();
      } finally {
        killAllChildren();
        dropLostTerminal();
      }
    },
    leaveBy: (exitCode) => app.leaveBy(exitCode),
    noteProblem: app.noteProblem,
    giveUp: (error) => process.exit(report(error)),
    now: () => Date.now(),
  });
}

function report(error: unknown): number {
  const route = routeError(error, 'program');
  if (route.to === 'user') writeToTerminal(`${toErrorInfo(error).message}\r\n`);
  return route.exitCode;
}
