/** Warnings, tips and the sign-in shown before the first prompt. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { authTypeFromEnvironment, OFFLINE_MODEL, type Settings } from '@gemini-cli/core';
import type { ColorDepth } from '../../../terminal/color-depth.js';
import { startTips } from '../../history/header.js';

export interface StartSituation {
  cwd: string;
  home: string;
  ui: Settings['ui'];
  env: NodeJS.ProcessEnv;
  depth: ColorDepth;
  platform: NodeJS.Platform;
  /** `os.release()` */
  release: string;
}

export function startNotices({ cwd, home, ui, env, depth, platform, release }: StartSituation): string[] {
  return [
    ...(ui?.showHomeDirectoryWarning === false ? [] : placeWarning(realPath(cwd), realPath(home))),
    ...(ui?.showCompatibilityWarnings === false ? [] : compatibility(env, depth, platform, release)),
  ];
}

/** The way to sign in that Google's models use; absent with `ui.showUserIdentity` off and for other models. */
export function headerIdentity(
  { ui, security }: Settings,
  model: string,
  env: NodeJS.ProcessEnv,
): string | undefined {
  if (ui?.showUserIdentity === false) return undefined;
  const isGoogle = !model.includes('/') && model !== OFFLINE_MODEL;
  return security?.auth?.selectedType ?? (isGoogle ? authTypeFromEnvironment(env) : undefined);
}

function placeWarning(cwd: string, home: string): string[] {
  if (cwd === home)
    return ['You are in your home directory: the agent can reach all your files. Start in a project folder.'];
  if (dirname(cwd) === cwd)
    return [
      'You are in the root of the file system: the agent can reach everything. Start in a project folder.',
    ];
  return [];
}

function compatibility(
  env: NodeJS.ProcessEnv,
  depth: ColorDepth,
  platform: NodeJS.Platform,
  release: string,
): string[] {
  const found: string[] = [];
  if (env['TERM'] !== 'dumb' && depth === 'ansi16')
    found.push(
      'This terminal says it has 16 colours: themes look plain. TERM=xterm-256color may be right for it.',
    );
  if (env['TERMINAL_EMULATOR'] === 'JetBrains-JediTerm')
    found.push('The terminal of this IDE may lose keys and flicker; an external one shows everything.');
  if (platform === 'win32' && buildOf(release) < FIRST_WINDOWS_11)
    found.push('On Windows 10 the old console cannot show everything: use Windows Terminal.');
  return found;
}

const FIRST_WINDOWS_11 = 22_000;

function buildOf(release: string): number {
  return Number(release.split('.')[2] ?? Number.POSITIVE_INFINITY);
}

const LAUNCHES_WITH_TIPS = 10;

/** Tips for the first ten sessions. */
export function tipsFor(settings: Settings, cwd: string, tipsShown: number): string[] {
  if (settings.ui?.hideTips || tipsShown >= LAUNCHES_WITH_TIPS) return [];
  const named = settings.context?.fileName ?? 'GEMINI.md';
  const names = Array.isArray(named) ? named : [named];
  return startTips(names.some((name) => existsSync(join(cwd, name))));
}

/** For `gemini words`: how to get an answer without the screen. */
export function queryNote(query: readonly string[]): string | undefined {
  if (query.length === 0) return undefined;
  return 'Your words were sent as the first prompt of a session. For just an answer, without the screen: gemini -p "…"';
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
