import { describe, expect, expectTypeOf, it } from 'vitest';
import type { SettingDefinition } from './definition.js';
import { type Settings, setting } from './index.js';
import { ROOT } from './root.js';

describe('the settings tables', () => {
  it('give every value its type', () => {
    expectTypeOf<NonNullable<NonNullable<Settings['tools']>['shell']>['pager']>().toEqualTypeOf<
      string | undefined
    >();
    expectTypeOf<NonNullable<Settings['context']>['fileName']>().toEqualTypeOf<
      string | string[] | undefined
    >();
    expectTypeOf<NonNullable<Settings['output']>['format']>().toEqualTypeOf<'text' | 'json' | undefined>();
    expectTypeOf<NonNullable<Settings['mcpServers']>[string]['args']>().toEqualTypeOf<string[] | undefined>();
    const merged: Settings = { tools: { core: ['a'] } };
    expectTypeOf(setting(merged, 'general.maxAttempts')).toEqualTypeOf<number>();
    expectTypeOf(setting(merged, 'tools.core')).toEqualTypeOf<string[] | undefined>();
    expectTypeOf(setting(merged, 'telemetry.target')).toEqualTypeOf<'local' | 'gcp' | 'console'>();
  });

  it('give the value from the files, else the default', () => {
    const merged: Settings = { tools: { shell: { pager: 'less' } }, general: { vimMode: false } };
    expect(setting(merged, 'tools.shell.pager')).toBe('less');
    expect(setting(merged, 'tools.shell.inactivityTimeout')).toBe(300);
    expect(setting(merged, 'general.plan.enabled')).toBe(true);
    expect(setting(merged, 'model.name')).toBeUndefined();
    expect(setting({}, 'agents.browser.allowedDomains')).toEqual(['github.com', '*.google.com', 'localhost']);
  });

  it('have defaults that fit their kind, values and range, and a description for each key', () => {
    const wrong: string[] = [];
    walk(ROOT, '', (definition, path) => {
      if (definition.description.trim() === '') wrong.push(`${path}: no description`);
      const fallback = definition.default;
      if (fallback === undefined) return;
      const kinds = [definition.kind].flat();
      const type = Array.isArray(fallback) ? 'array' : typeof fallback;
      const fits = kinds.some((kind) => kind === type || (kind === 'enum' && type === 'string'));
      if (!fits) wrong.push(`${path}: default is ${type}`);
      if (definition.values && !definition.values.includes(String(fallback)))
        wrong.push(`${path}: not a value`);
      if (definition.pattern && !new RegExp(definition.pattern).test(String(fallback)))
        wrong.push(`${path}: does not match`);
      if (typeof fallback === 'number' && fallback < (definition.minimum ?? -Infinity))
        wrong.push(`${path}: out of range`);
    });
    expect(wrong).toEqual([]);
  });
});

function walk(
  definition: SettingDefinition,
  path: string,
  visit: (definition: SettingDefinition, path: string) => void,
): void {
  visit(definition, path);
  if (definition.items) walk(definition.items, `${path}.*`, visit);
  for (const [key, child] of Object.entries(definition.properties ?? {}))
    walk(child, `${path}.${key}`, visit);
}
