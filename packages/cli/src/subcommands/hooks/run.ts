/** `gemini hooks <list|enable|disable|migrate>`: the hooks of this folder, the user, the system and of extensions. */
import {
  type HookRegistry,
  type LoadedSettings,
  loadHooks,
  Redactor,
  readExtensions,
  readFolder,
  setting,
} from '@gemini-cli/core';
import { disableHooks, enableHooks } from '../../engine/hook-switches.js';
import { formatHooks, hookRows } from '../../output/hooks-text.js';
import { escapeControls } from '../../output/json-text.js';
import { notice, oneLine } from '../../output/output.js';
import { currentDirectory } from '../current-directory.js';
import type { Subcommand, SubcommandIo } from '../subcommand.js';
import { type HooksArguments, MIGRATE_USAGE, parseArguments } from './arguments.js';
import { migrate } from './migrate.js';

const run: Subcommand = async (args, io) => {
  const wanted = parseArguments(args);
  if (typeof wanted === 'string') {
    io.stderr(`gemini hooks: ${wanted}`);
    return 1;
  }
  return hooksCommand(wanted, io, currentDirectory());
};

export default run;

export async function hooksCommand(wanted: HooksArguments, io: SubcommandIo, cwd: string): Promise<number> {
  if (wanted.verb === 'migrate' && !wanted.fromClaude) {
    io.stdout(`${MIGRATE_USAGE}\n`);
    return 0;
  }
  const warn = (message: string) => notice(io, 'WARNING', message);
  const { settings, trust, environment } = await readFolder({ cwd, env: io.env, notice: warn });
  const registryOf = async (): Promise<HookRegistry> => {
    const { extensionHooks } = await readExtensions({ cwd, environment, settings, trust }, {}, warn);
    const { loadRegistry } = await loadHooks();
    return (await loadRegistry({ settings, extensions: extensionHooks })).registry;
  };
  switch (wanted.verb) {
    case 'list':
      if (!setting(settings.merged, 'hooksConfig.enabled')) warn('Hooks are disabled (hooksConfig.enabled).');
      if (!trust.trusted) warn('This folder is not trusted: its hooks do not run and are not listed.');
      return list(await registryOf(), wanted.json, io);
    case 'enable':
    case 'disable':
      return switchHook(wanted, settings, await registryOf(), trust.trusted, io);
    case 'migrate':
      return migrate(settings, cwd, io);
  }
}

async function list(registry: HookRegistry, json: boolean, io: SubcommandIo): Promise<number> {
  const redactor = new Redactor();
  redactor.addEnvironment(io.env);
  const rows = hookRows(registry.getAllHooks(), (text) => redactor.redact(text));
  for (const { message } of registry.problems) notice(io, 'WARNING', message);
  io.stdout(`${json ? escapeControls(JSON.stringify(rows, null, 2)) : formatHooks(rows)}\n`);
  return 0;
}

async function switchHook(
  { verb, name }: Extract<HooksArguments, { verb: 'enable' | 'disable' }>,
  settings: LoadedSettings,
  registry: HookRegistry,
  isTrusted: boolean,
  io: SubcommandIo,
): Promise<number> {
  const hooks = registry.getAllHooks();
  const hook = hooks.find((hook) => hook.name === name || commandOf(hook.config) === name);
  // A name may stay in the list after its hook is gone.
  const isListed = setting(settings.merged, 'hooksConfig.disabled').includes(name);
  if (!hook && !(verb === 'enable' && isListed)) {
    const names = [...new Set(hooks.map((hook) => hook.name))].map(oneLine);
    const known = names.length > 0 ? ` There are: ${names.join(', ')}.` : ' None is configured.';
    io.stderr(`gemini hooks: there is no hook "${oneLine(name)}".${known}`);
    return 1;
  }
  const command = hook && commandOf(hook.config);
  const named = { name: hook?.name ?? name, ...(command !== undefined && { command }) };
  if (verb === 'enable') {
    const stays = await enableHooks(settings, [named]);
    if (stays.length > 0) {
      io.stderr(`Hook "${oneLine(named.name)}" stays disabled by the system settings.`);
      return 1;
    }
    io.stdout(`Enabled hook "${oneLine(named.name)}".\n`);
    return 0;
  }
  const scope = await disableHooks(settings, [named.name], isTrusted);
  io.stdout(`Disabled hook "${oneLine(named.name)}" in the ${scope} settings.\n`);
  return 0;
}

function commandOf(config: { type: string; command?: string }): string | undefined {
  return config.command;
}
