/** The sandbox: there is none yet, so a run that asks for one does not start. */
import { type Check, failure, skipped } from './check.js';

export const sandbox: Check = {
  id: 'sandbox',
  title: 'Sandbox',
  run({ env, settings }) {
    if (env['SANDBOX']) return skipped(`running inside ${env['SANDBOX']}`);
    const origin = wantedBy(env['GEMINI_SANDBOX'], settings.merged.tools?.sandbox);
    if (!origin) return skipped('not available yet; none is asked for');
    return failure(
      [`not available yet, but ${origin} asks for it: the program does not start (exit code 44)`],
      `Remove ${origin}, or start the program inside a container of your own.`,
    );
  },
};

function wantedBy(variable: string | undefined, setting: unknown): string | undefined {
  if (variable) return isOff(variable) ? undefined : 'GEMINI_SANDBOX';
  return setting === undefined || isOff(setting) ? undefined : 'tools.sandbox in the settings';
}

function isOff(value: unknown): boolean {
  if (typeof value === 'object' && value !== null && 'enabled' in value) return value.enabled === false;
  return value === false || value === 'false' || value === '0' || value === '' || value === null;
}
