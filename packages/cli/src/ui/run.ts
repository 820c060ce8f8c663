/** An interactive session, from the first paint to the goodbye. */
import {
  chooseSession,
  FatalAuthenticationError,
  killAllChildren,
  messageOf,
  processVariables,
  routeError,
  toErrorInfo,
} from '@gemini-cli/core';
import type { CommandLine } from '../command-line/parse.js';
import { overridesFrom } from '../engine/overrides.js';
import { openRunFolder, type RunFolder } from '../engine/run-folder.js';
import { type FirstPaint, writeToTerminal } from '../terminal/first-paint.js';
import { App } from './app/app.js';
import { dropLostTerminal, guardExits } from './app/guard.js';
import { Interactive } from './app/interactive.js';
import { shownHistory } from './app/sessions.js';

/** @returns the exit code; the terminal is as it was before */
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
    return report(error);
  }
  const app = new App({ line, firstPaint, folder, now: () => Date.now() });
  for (const text of warnings) app.notice(text);
  const ui = new Interactive(app, firstPaint);
  guard(ui);
  ui.begin();
  const failure = await start(ui, line).catch((error: unknown) => error);
  if (failure) {
    ui.end(routeError(failure, 'program').exitCode);
    return report(failure);
  }
  setTimeout(() => ui.idle.add(() => keepCompiledCode(true)), KEEP_CODE_AFTER_MS).unref();
  return ui.left;
}

/** When the start is long over and nobody waits. */
const KEEP_CODE_AFTER_MS = 3_000;

/** Trust, then the engine, then what the command line asked for. @throws what ends the program */
async function start(ui: Interactive, line: CommandLine): Promise<void> {
  const { app } = ui;
  const { engine } = app;
  await ui.themeLoaded;
  ui.showHeader();
  if (engine.folder.trust.source === 'none' && !engine.folder.trust.trusted) await app.ask('trust');
  const session = await chooseSession({
    overrides: overridesFrom(line.flags),
    cwd: engine.folder.cwd,
    environment: engine.folder.environment,
    sessionId: engine.sessionId,
    storageDir: app.settings.general?.sessionStorageDir,
    notice: app.notice,
  });
  const first = line.flags['prompt-interactive'] ?? line.query.join(' ');
  const problem = await engine.start(session).then(() => undefined, signInProblem(app));
  if (session.resume) ui.showHistory(await shownHistory(session.resume));
  ui.submitter.started(first, problem);
  void ui.afterStart();
}

/** A missing sign-in is asked for; what else goes wrong ends the program. */
function signInProblem(app: App): (error: unknown) => { text?: string } {
  return (error) => {
    if (!(error instanceof FatalAuthenticationError)) throw error;
    return hasChosenSignIn(app) ? { text: messageOf(error) } : {};
  };
}

function hasChosenSignIn({ settings }: App): boolean {
  return settings.security?.auth?.selectedType !== undefined;
}

/** By SIGINT. */
const INTERRUPTED = 130;

function guard(ui: Interactive): void {
  const { app } = ui;
  const restore = () => {
    try {
      ui.restore();
    } finally {
      killAllChildren();
      dropLostTerminal();
    }
  };
  guardExits(process, {
    restore,
    leaveBy: (exitCode) => {
      if (exitCode !== INTERRUPTED || !ui.interrupt()) void ui.leaving.leaveBy(exitCode);
    },
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
