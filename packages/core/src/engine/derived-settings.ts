/** Settings of the engine's parts, from the parameters of the session. */
import type { Variables } from '../platform/environment.js';
import type { HttpLimits } from '../platform/http.js';
import { DEFAULT_SHELL_SETTINGS, type ShellSettings } from '../platform/shell-settings.js';
import { DEFAULT_OUTPUT_THRESHOLD } from '../tools/output-limit.js';
import type { FileFilteringOptions } from '../workspace/host.js';
import type { ConfigParameters } from './parameters.js';

/** How long a user has to answer a command that waits for input; then the model is told. */
const TAKE_OVER_MS = 20_000;

/** Slow models on one's own machine may need longer; other users want to know sooner. */
export function httpLimits(env: Variables): Partial<HttpLimits> {
  const silence = secondsIn(env['GEMINI_CLI_STREAM_TIMEOUT']);
  const total = secondsIn(env['GEMINI_CLI_REQUEST_TIMEOUT']);
  return {
    ...(silence && { firstByteMs: silence, silenceMs: silence }),
    ...(total && { totalMs: total }),
  };
}

function secondsIn(text: string | undefined): number | undefined {
  const seconds = Number(text);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined;
}

/** Characters of one tool result: what the user set, but never more than about a quarter of a small window. */
export function outputThreshold(
  { truncateToolOutputThreshold }: ConfigParameters,
  windowTokens: number,
): number {
  const wanted = truncateToolOutputThreshold ?? DEFAULT_OUTPUT_THRESHOLD;
  return wanted > 0 ? Math.min(wanted, windowTokens) : wanted;
}

export function filteringFrom({ fileFiltering }: ConfigParameters): FileFilteringOptions {
  return {
    respectGitIgnore: fileFiltering?.respectGitIgnore ?? true,
    respectGeminiIgnore: fileFiltering?.respectGeminiIgnore ?? true,
    customIgnoreFilePaths: fileFiltering?.customIgnoreFilePaths ?? [],
  };
}

export function shellSettingsFrom({
  shell,
  interactive,
  environmentRedaction: redaction,
}: ConfigParameters): ShellSettings {
  return {
    ...DEFAULT_SHELL_SETTINGS,
    ...(shell?.hasScreen && { interactive: true, waitingAfterMs: TAKE_OVER_MS }),
    backgroundAfterSeconds: interactive ? (shell?.backgroundAfterSeconds ?? 0) : 0,
    environmentRedaction: {
      enabled: redaction?.enabled ?? false,
      allowed: redaction?.allowed ?? [],
      blocked: redaction?.blocked ?? [],
    },
    ...(shell?.enableInteractiveShell !== undefined && {
      enableInteractiveShell: shell.enableInteractiveShell,
    }),
    ...(shell?.inactivityTimeout !== undefined && { inactivityTimeoutSeconds: shell.inactivityTimeout }),
    ...(shell?.backgroundCompletionBehavior !== undefined && {
      backgroundCompletionBehavior: shell.backgroundCompletionBehavior,
    }),
    ...(shell?.pager !== undefined && { pager: shell.pager }),
    ...(shell?.showColor !== undefined && { showColor: shell.showColor }),
  };
}
