/** Runs an interactive session, from the first paint to the goodbye. */
import { killAllChildren, processVariables, routeError, toErrorInfo } from '@gemini-cli/core';
import type { CommandLine } from '../command-line/parse.js';
import { openRunFolder, type RunFolder } from '../engine/run-folder.js';
import { UsageError } from '../engine/usage-error.js';
import { type FirstPaint, writeToTerminal } from '../terminal/first-paint.js';
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
    });
  } catch (error) {
    firstPaint.release();
    const exitCode = report(error);
    if (error instanceof UsageError) await printHelp();
    return exitCode;
  }
  const app = new App({ line, firstPaint, folder, now: () => Date.now() });
  for (const text of warnings) app.notice(text);
  guard(app);
  app.begin();
  try {
    const exitCode = await app.run(() => keepCompiledCode(true));
    app.end();
    return exitCode;
  } catch (error) {
    app.end();
    return report(error);
  }
}

async function printHelp(): Promise<void> {
  const { helpText } = await import('../command-line/help.js');
  writeToTerminal(`\r\n${helpText().replaceAll('\n', '\r\n')}`);
}

function guard(app: App): void {
  guardExits(process, {
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
