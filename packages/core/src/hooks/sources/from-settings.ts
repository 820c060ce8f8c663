/** The hooks in the settings of all scopes, `hooks.toml` included. The settings tables have checked them. */
import type { LoadedSettings } from '../../settings/loaded-settings.js';
import type { Settings } from '../../settings/schema/index.js';
import type { SettingScope } from '../../settings/types.js';
import type { HookSource } from '../registry.js';
import { type CommandHookConfig, ConfigSource, type HookDefinition, HookEventName } from '../types.js';

const SOURCES: readonly (readonly [SettingScope, ConfigSource])[] = [
  ['workspace', ConfigSource.Project],
  ['user', ConfigSource.User],
  ['system', ConfigSource.System],
  ['system-defaults', ConfigSource.System],
];

/** Each hook with its true source. Settings of an untrusted workspace are not part of its layer. */
export function hooksFromSettings(settings: Pick<LoadedSettings, 'layer'>): HookSource[] {
  return SOURCES.map(([scope, source]) => ({
    source,
    definitions: definitionsOf(settings.layer(scope).hooks),
  }));
}

function definitionsOf(hooks: Settings['hooks'] = {}): HookSource['definitions'] {
  return Object.values(HookEventName).flatMap((eventName) =>
    (hooks[eventName] ?? []).map((group) => ({ ...definitionOf(group), eventName })),
  );
}

type Group = NonNullable<NonNullable<Settings['hooks']>['BeforeTool']>[number];

function definitionOf({ matcher, sequential, onlyWhenCompressing, hooks = [] }: Group): HookDefinition {
  return {
    ...(matcher !== undefined && { matcher }),
    ...(sequential !== undefined && { sequential }),
    ...(onlyWhenCompressing !== undefined && { onlyWhenCompressing }),
    hooks: hooks.flatMap(({ command, name, description, timeout, env }): CommandHookConfig[] =>
      command === undefined
        ? []
        : [
            {
              type: 'command',
              command,
              ...(name !== undefined && { name }),
              ...(description !== undefined && { description }),
              ...(timeout !== undefined && { timeout }),
              ...(env !== undefined && { env }),
            },
          ],
    ),
  };
}
