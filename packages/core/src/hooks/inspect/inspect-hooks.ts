/** Finds configured hooks that cannot run or never fire. */
import { dirname, join } from 'node:path';
import { isObject, objectOf } from '../../base/objects.js';
import type { LoadedSettings } from '../../settings/loaded-settings.js';
import type { SettingScope } from '../../settings/types.js';
import { loadRegistry } from '../create.js';
import type { HookRegistryEntry } from '../registry.js';
import { ConfigSource } from '../types.js';
import { whyNotMatched } from './check-matcher.js';
import { type HookPlace, whyNotStarted } from './find-program.js';

export interface HookFinding {
  /** Absent when the finding is about a whole file. */
  hook?: string;
  file?: string;
  line?: number;
  message: string;
}

export interface HookInspection {
  /** Number of hooks, and how many of them are enabled. */
  count: number;
  enabled: number;
  findings: HookFinding[];
}

export async function inspectHooks(settings: LoadedSettings, place: HookPlace): Promise<HookInspection> {
  const { registry } = await loadRegistry({ settings });
  const hooks = registry.getAllHooks();
  const fromFiles = registry.problems.map(({ hook, file, line, message }) => ({
    ...(hook !== undefined && { hook }),
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    message,
  }));
  const fromHooks = hooks.flatMap((hook) => {
    const file = fileOf(hook, settings);
    return problemsOf(hook, place).map((message) => ({
      hook: `${hook.eventName}: ${hook.name}`,
      ...(file !== undefined && { file }),
      message,
    }));
  });
  return {
    count: hooks.length,
    enabled: hooks.filter(({ enabled }) => enabled).length,
    findings: [...fromFiles, ...fromHooks],
  };
}

function problemsOf({ eventName, matcher, config }: HookRegistryEntry, place: HookPlace): string[] {
  // On Windows, PowerShell has names of its own for programs.
  const isChecked = config.type === 'command' && process.platform !== 'win32';
  return [
    isChecked ? whyNotStarted(config.command, place) : undefined,
    whyNotMatched(eventName, matcher),
  ].filter((problem) => problem !== undefined);
}

const SCOPES: readonly (readonly [ConfigSource, SettingScope])[] = [
  [ConfigSource.Project, 'workspace'],
  [ConfigSource.User, 'user'],
  [ConfigSource.System, 'system'],
  [ConfigSource.System, 'system-defaults'],
];

/** A scope has `settings.json` and may have `hooks.toml` beside it. */
function fileOf(entry: HookRegistryEntry, settings: LoadedSettings): string | undefined {
  const scopes = SCOPES.flatMap(([source, scope]) => (source === entry.source ? [scope] : []));
  const files = scopes.map((scope) => settings.file(scope));
  const [first] = files;
  if (!first) return undefined;
  const inJson = files.find(({ raw }) =>
    definesHook(objectOf(objectOf(raw)['hooks'])[entry.eventName], entry),
  );
  return inJson?.path ?? join(dirname(first.path), 'hooks.toml');
}

function definesHook(definitions: unknown, { config }: HookRegistryEntry): boolean {
  if (!Array.isArray(definitions) || config.type !== 'command') return false;
  return definitions
    .filter(isObject)
    .flatMap(({ hooks }) => (Array.isArray(hooks) ? hooks : []))
    .some((hook) => isObject(hook) && isSame(hook, config));
}

function isSame(
  hook: Record<string, unknown>,
  { name, command }: { name?: string; command: string },
): boolean {
  return hook['command'] === command && hook['name'] === name;
}
