/** Settings of the engine's parts, from the parameters of the session. */
import type { Variables } from '../platform/environment.js';
import type { HttpLimits } from '../platform/net/http.js';
import { type ShellSettings, UNATTENDED } from '../platform/shell/shell-settings.js';
import type { FileFilteringOptions } from '../workspace/host.js';
import type { CompleteParameters } from './parameters.js';

/** How long a command may wait for the user's input before the model is told. */
const TAKE_OVER_MS = 20_000;

/** Slow local models may need longer; other users want to know sooner. */
export function httpLimits(env: Variables): Partial<HttpLimits> {
  const silence = secondsIn(env['GEMINI_CLI_STREAM_TIMEOUT']);
  const total = secondsIn(env['GEMINI_CLI_REQUEST_TIMEOUT']);
  return {
    ...(silence && { firstByteMs: silence, silenceMs: silence, contentMs: silence }),
    ...(total && { totalMs: total }),
  };
}

function secondsIn(text: string | undefined): number | undefined {
  const seconds = Number(text);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined;
}

/** Characters of one tool result: the user's limit, at most about a quarter of a small context window. */
export function outputThreshold(
  { truncateToolOutputThreshold: wanted }: CompleteParameters,
  windowTokens: number,
): number {
  return wanted > 0 ? Math.min(wanted, windowTokens) : wanted;
}

export function filteringFrom({
  fileFiltering,
}: Pick<CompleteParameters, 'fileFiltering'>): FileFilteringOptions {
  const { respectGitIgnore, respectGeminiIgnore, customIgnoreFilePaths } = fileFiltering;
  return { respectGitIgnore, respectGeminiIgnore, customIgnoreFilePaths };
}

export function shellSettingsFrom({
  shell,
  interactive,
  environmentRedaction,
}: Pick<CompleteParameters, 'shell' | 'interactive' | 'environmentRedaction'>): ShellSettings {
  const { enableInteractiveShell, pager, showColor, backgroundCompletionBehavior } = shell;
  return {
    ...UNATTENDED,
    ...(shell.hasScreen && { interactive: true, waitingAfterMs: TAKE_OVER_MS }),
    enableInteractiveShell,
    pager,
    showColor,
    backgroundCompletionBehavior,
    backgroundAfterSeconds: interactive ? shell.backgroundAfterSeconds : 0,
    inactivityTimeoutSeconds: shell.inactivityTimeout,
    environmentRedaction,
  };
}
