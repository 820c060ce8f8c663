/** Adds converted definitions to those of a settings file, without duplicates. */
import { isObject } from '../../base/objects.js';
import type { ConvertedDefinition, ConvertedHook } from './convert.js';

export interface MergedHooks {
  /** Events that get more, with all of their definitions. */
  changed: Record<string, unknown[]>;
  /** Number of hooks added. */
  added: number;
  /** Hooks that were there already, as `event: command`. */
  duplicates: string[];
}

/** @param existing the value of `hooks` in the file that gets them, not checked */
export function mergeHooks(
  existing: unknown,
  converted: Readonly<Record<string, readonly ConvertedDefinition[]>>,
): MergedHooks {
  const merged: MergedHooks = { changed: {}, added: 0, duplicates: [] };
  for (const [event, definitions] of Object.entries(converted)) {
    const present = isObject(existing) && Array.isArray(existing[event]) ? existing[event] : [];
    const known = new Set(present.flatMap(identities));
    const added: ConvertedDefinition[] = [];
    for (const definition of definitions) {
      const { matcher = '' } = definition;
      const isNew = (hook: ConvertedHook) => {
        const id = identityOf(hook);
        // The same command may be there for other tools, too.
        return !known.has(id) && !added.some((other) => (other.matcher ?? '') === matcher && has(other, id));
      };
      const hooks = definition.hooks.filter(isNew);
      for (const hook of definition.hooks)
        if (!isNew(hook)) merged.duplicates.push(`${event}: ${hook.command}`);
      if (hooks.length > 0) added.push({ ...definition, hooks });
      merged.added += hooks.length;
    }
    if (added.length > 0) merged.changed[event] = [...present, ...added];
  }
  return merged;
}

function has({ hooks }: ConvertedDefinition, id: string): boolean {
  return hooks.some((hook) => identityOf(hook) === id);
}

function identities(definition: unknown): string[] {
  const hooks = isObject(definition) ? definition['hooks'] : undefined;
  return Array.isArray(hooks) ? hooks.filter(isObject).map(identityOf) : [];
}

/** As the registry tells hooks apart: `<name>:<command>`. */
function identityOf(hook: { name?: unknown; command?: unknown }): string {
  return `${hook.name ?? ''}:${hook.command ?? ''}`;
}
