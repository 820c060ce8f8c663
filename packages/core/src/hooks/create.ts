/** Makes the hook system of an engine from all its sources, and keeps it up to date with the settings. */
import type { HookPorts } from '../agent/hook-ports.js';
import type { LoadedSettings } from '../settings/loaded-settings.js';
import { HookSystem, type HookSystemOptions } from './hook-system.js';
import { configuredPorts, eventOfPort } from './ports.js';
import { HookRegistry, type HookSource } from './registry.js';
import { HookRunner, type HookRunnerOptions } from './runner.js';
import { type ExtensionHooks, hooksFromExtension } from './sources/extension-files.js';
import { hooksFromSettings } from './sources/from-settings.js';
import { TrustedHooks } from './trust/trusted-hooks.js';
import { ConfigSource, HookEventName, type RuntimeHook } from './types.js';

export interface HookSources {
  settings: Pick<LoadedSettings, 'layer' | 'merged' | 'onChange'> | undefined;
  runtimeHooks: readonly RuntimeHook[];
  extensions: readonly ExtensionHooks[];
}

export interface CreateOptions
  extends HookSources,
    Omit<HookSystemOptions, 'registry' | 'runner' | 'trustedHooks'> {
  runner: HookRunnerOptions;
  globalDir: string;
  projectRoot: string;
  resolveModel: (name: string) => string;
}

export interface CreatedHooks {
  system: HookSystem;
  ports: { configured: Required<HookPorts>; eventOf: (port: keyof HookPorts) => HookEventName };
}

/** Tells the user about new project hooks before it returns, and about problems. */
export async function createHookSystem(options: CreateOptions): Promise<CreatedHooks> {
  const { registry } = await loadRegistry(options);
  const { globalDir, projectRoot, resolveModel, runner, ...rest } = options;
  const system = new HookSystem({
    ...rest,
    registry,
    runner: new HookRunner(runner),
    trustedHooks: TrustedHooks.in(globalDir, projectRoot),
  });
  for (const { message } of registry.problems) options.notice(message);
  await system.announceNewHooks();
  return { system, ports: { configured: configuredPorts(system, resolveModel), eventOf: eventOfPort } };
}

/** A registry without a running engine, for lists and checks. It follows changes of the settings until `stop`. */
export async function loadRegistry({
  settings,
  runtimeHooks = [],
  extensions = [],
}: Partial<HookSources>): Promise<{ registry: HookRegistry; stop: () => void }> {
  const registry = new HookRegistry();
  const fixed = [runtimeSource(runtimeHooks), ...(await Promise.all(extensions.map(hooksFromExtension)))];
  const load = () =>
    registry.load(
      [...fixed, ...(settings ? hooksFromSettings(settings) : [])],
      settings?.merged.hooksConfig?.disabled ?? [],
    );
  load();
  return { registry, stop: settings?.onChange(load) ?? (() => undefined) };
}

function runtimeSource(hooks: readonly RuntimeHook[]): HookSource {
  return {
    source: ConfigSource.Runtime,
    definitions: hooks.map(({ event, hook, ...definition }) => ({
      ...definition,
      eventName: HookEventName[event],
      hooks: [hook],
    })),
  };
}
