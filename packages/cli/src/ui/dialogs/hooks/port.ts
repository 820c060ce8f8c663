/** The hooks of the session that the dialog uses; tests pass their own. */
import { switchAllHooks, switchHooks } from '../../../engine/hook-switches.js';
import { type HookRow, hookRows } from '../../../output/hooks-text.js';
import type { DialogServices } from '../dialog.js';

export interface HooksPort {
  /** In the order in which they run. */
  list(): HookRow[];
  /** @param at the number of a hook in the list. @returns names that the system settings keep disabled */
  set(at: number, enabled: boolean): Promise<readonly string[]>;
  setAll(enabled: boolean): Promise<readonly string[]>;
  /** How many hooks or files have no effect. */
  problems(): number;
}

export function hooksPort({ config, settings }: Pick<DialogServices, 'config' | 'settings'>): HooksPort {
  const registry = config?.getHookSystem()?.getRegistry();
  const session = { registry, settings, isTrusted: config?.isTrustedFolder() === true };
  const all = () => registry?.getAllHooks() ?? [];
  return {
    list: () => hookRows(all(), (text) => config?.getRedactor().redact(text) ?? text),
    set: async (at, enabled) => {
      const hook = all()[at];
      return hook ? switchHooks(session, [hook.name], enabled) : [];
    },
    setAll: (enabled) => switchAllHooks(session, enabled),
    problems: () => registry?.problems.length ?? 0,
  };
}
