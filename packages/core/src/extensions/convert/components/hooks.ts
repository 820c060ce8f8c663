/** Hooks of a plugin as `hooks/hooks.json` of an extension. What has no equivalent is skipped and named. */

import { isObject } from '../../../base/objects.js';
import { shellQuote } from '../../../base/shell-words.js';
import { eventFromClaude, milliseconds, withOurVariable } from '../../../hooks/from-claude/convert.js';
import { toolMatcher } from '../../../hooks/matcher.js';
import { HookEventName } from '../../../hooks/types.js';
import type { ReportRow, ScriptOfClaude, SourceValue } from '../types.js';
import { type HookMatcher, matcherFor } from './hook-matcher.js';
import type { ServerNames } from './mcp-names.js';
import { claudeVariables, notSupplied, type VariableContext } from './variables.js';

export interface HookContext {
  variables: VariableContext;
  servers: ServerNames;
  /** Scripts of the plugin, and variables that only Claude Code gives them. */
  scriptsOfClaude: readonly ScriptOfClaude[];
}

interface OutputHook {
  type: 'command';
  command: string;
  /** Its input and output are those of this event there. */
  claudeEvent: string;
  name?: string;
  timeout?: number;
  env?: Record<string, string>;
}

interface OutputDefinition {
  matcher?: string;
  /** There it happens for a real compression only. */
  onlyWhenCompressing?: true;
  hooks: OutputHook[];
}

export interface ConvertedHookFile {
  /** Undefined: there are none. */
  hooks?: Record<string, OutputDefinition[]>;
  rows: ReportRow[];
}

const DIFFERENT =
  'hooks differ between the programs: these get their input and answer as in Claude Code only here, by "claudeEvent". ' +
  'Check each of them (gemini hooks list)';

export function convertHooks(values: readonly SourceValue[], context: HookContext): ConvertedHookFile {
  const rows: ReportRow[] = [];
  const hooks: Record<string, OutputDefinition[]> = {};
  for (const { source, value } of values) {
    rows.push({ action: 'warned', kind: 'hook', source, reason: DIFFERENT });
    const map = eventMap(value);
    if (!map) {
      rows.push({ action: 'skipped', kind: 'hook', source, reason: 'it is not a map from events to hooks' });
      continue;
    }
    rows.push(
      ...besides(value).map((reason) => ({ action: 'warned', kind: 'hook', source, reason }) as const),
    );
    for (const [claudeEvent, definitions] of Object.entries(map)) {
      const at = `${source}: ${claudeEvent}`;
      const event = eventFromClaude(claudeEvent);
      const skip = (reason: string) => rows.push({ action: 'skipped', kind: 'hook', source: at, reason });
      if (event === undefined) skip(noEvent(claudeEvent));
      else if (!Array.isArray(definitions)) skip('it must be a list');
      else
        for (const definition of definitions) {
          const converted = convertDefinition(definition, claudeEvent, at, context, rows);
          if (converted.length === 0) continue;
          hooks[event] = [...(hooks[event] ?? []), ...converted];
          const target = `hooks/hooks.json: ${event}`;
          rows.push({ action: 'converted', kind: 'hook', source: at, target });
        }
    }
  }
  for (const { path, notSupplied: names, readsTranscript } of context.scriptsOfClaude) {
    const losses = [
      ...(names.length > 0 ? [`it reads variables that hooks do not have here: ${names.join(', ')}`] : []),
      ...(readsTranscript ? ['it reads transcript_path: transcripts have another format here'] : []),
    ];
    for (const reason of losses) rows.push({ action: 'warned', kind: 'hook', source: path, reason });
  }
  return Object.keys(hooks).length > 0 ? { hooks: withNames(hooks), rows } : { rows };
}

function noEvent(name: string): string {
  const known: readonly string[] = Object.values(HookEventName);
  return known.includes(name)
    ? 'Claude Code has no such event, so the plugin does not run it; add it to the extension yourself'
    : 'there is no such event here';
}

/** `{"hooks": {…}}` or the map itself. */
function eventMap(value: unknown): Record<string, unknown> | undefined {
  if (!isObject(value)) return undefined;
  if (Object.hasOwn(value, 'hooks')) return isObject(value['hooks']) ? value['hooks'] : undefined;
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => !key.startsWith('_') && !TOP_LEVEL.has(key) && key !== 'modules'),
  );
}

const TOP_LEVEL = new Set(['description', 'version', '$schema', 'name']);

/** Keys of a file beside its map of hooks. */
function besides(value: unknown): string[] {
  if (!isObject(value)) return [];
  const keys = Object.keys(value).filter((key) => !TOP_LEVEL.has(key) && !/^[$_]/.test(key));
  const others = keys.filter((key) => Object.hasOwn(value, 'hooks') && key !== 'hooks' && key !== 'modules');
  return [
    ...(keys.includes('modules')
      ? ['modules: JavaScript that Claude Code runs in itself cannot run here']
      : []),
    ...(others.length > 0 ? [droppedText(others)] : []),
  ];
}

function convertDefinition(
  definition: unknown,
  claudeEvent: string,
  source: string,
  context: HookContext,
  rows: ReportRow[],
): OutputDefinition[] {
  const skip = (reason: string) => rows.push({ action: 'skipped', kind: 'hook', source, reason });
  const warn = (reason: string) => rows.push({ action: 'warned', kind: 'hook', source, reason });
  if (!isObject(definition) || !Array.isArray(definition['hooks'])) {
    skip('a definition without a list "hooks"');
    return [];
  }
  const off = switchedOff(definition);
  if (off !== undefined) {
    skip(off);
    return [];
  }
  const matcher = matcherFor(claudeEvent, definition['matcher'], context.servers);
  if (matcher.problem !== undefined) {
    skip(matcher.problem);
    return [];
  }
  for (const loss of matcher.losses) warn(loss);
  if (/^Sub[aA]gentStop$/.test(claudeEvent))
    warn('it runs when the main agent is done: there is no event for other agents here');
  const unknown = Object.keys(definition).filter((key) => !['matcher', 'hooks', ...SWITCHES].includes(key));
  if (unknown.length > 0) warn(droppedText(unknown));
  return definition['hooks'].flatMap((hook): OutputDefinition[] => {
    if (isObject(hook) && hook['if'] !== undefined && !/ToolUse$/.test(claudeEvent)) {
      skip('a hook with "if" never runs for this event');
      return [];
    }
    const converted = convertHook(hook, claudeEvent, context, skip, warn);
    if (!converted) return [];
    const narrowed = narrowedBy(hook, claudeEvent, matcher, context, warn);
    if (!narrowed) {
      skip('the tool of its "if" has no equivalent here, or its matcher leaves it out');
      return [];
    }
    return [
      {
        ...(narrowed.matcher !== undefined && { matcher: narrowed.matcher }),
        ...(claudeEvent === 'PreCompact' && { onlyWhenCompressing: true }),
        hooks: [converted],
      },
    ];
  });
}

/** `if: "Bash(git:*)"`: only the tool can be kept. Undefined: it would never run. */
function narrowedBy(
  hook: unknown,
  claudeEvent: string,
  matcher: HookMatcher,
  { servers }: HookContext,
  warn: (reason: string) => void,
): HookMatcher | undefined {
  const condition = isObject(hook) ? hook['if'] : undefined;
  if (condition === undefined) return matcher;
  if (typeof condition !== 'string') {
    warn(droppedText(['if']));
    return matcher;
  }
  const tool = /^\s*([\w*-]+)/.exec(condition)?.[1];
  if (tool === undefined) return undefined;
  const narrowed = matcherFor(claudeEvent, tool, servers);
  if (narrowed.problem !== undefined) return undefined;
  // Two patterns may have tools in common: the hook runs for those of its matcher.
  if (narrowed.matcher === undefined || (matcher.matcher !== undefined && !/^\w+$/.test(narrowed.matcher))) {
    warn(`the condition "${condition.slice(0, 60)}" is dropped: it runs for all calls of its matcher`);
    return matcher;
  }
  if (matcher.matcher !== undefined && !toolMatcher(matcher.matcher)([narrowed.matcher])) return undefined;
  warn(`of the condition "${condition.slice(0, 60)}" only the tool is kept: it runs for all of its calls`);
  return narrowed;
}

const SWITCHES = ['disabled', 'enabled'];

/** Claude Code may not know the switch, but what is off does not begin to run by a conversion. */
function switchedOff({ disabled, enabled }: Readonly<Record<string, unknown>>): string | undefined {
  if (disabled === true) return 'it is switched off (disabled)';
  return enabled === false ? 'it is switched off (enabled)' : undefined;
}

const USED = new Set(['type', 'command', 'args', 'timeout', 'if', ...SWITCHES]);

function convertHook(
  hook: unknown,
  claudeEvent: string,
  { variables, scriptsOfClaude }: HookContext,
  skip: (reason: string) => void,
  warn: (reason: string) => void,
): OutputHook | undefined {
  const type = isObject(hook) ? (hook['type'] ?? 'command') : typeof hook;
  if (!isObject(hook) || type !== 'command') {
    skip(`hooks of type "${String(type).slice(0, 30)}" cannot run here, only commands`);
    return undefined;
  }
  const off = switchedOff(hook);
  if (off !== undefined) {
    skip(off);
    return undefined;
  }
  const { command, args, timeout } = hook;
  if (typeof command !== 'string' || command.trim() === '') {
    skip('a hook without a command');
    return undefined;
  }
  const losses: string[] = [];
  const own = withOurVariable(Array.isArray(args) ? withoutShell(command, args) : command);
  const replaced = settingsOfShell(claudeVariables(own, variables, []), variables);
  const readsRoot = /CLAUDE_PLUGIN_ROOT/.test(replaced);
  if (readsRoot)
    losses.push(
      'it reads CLAUDE_PLUGIN_ROOT from its environment: its command sets it, for POSIX shells only',
    );
  losses.push(...notSupplied(replaced).filter((loss) => !loss.startsWith('CLAUDE_PLUGIN_ROOT ')));
  const dropped = Object.keys(hook).filter((key) => !USED.has(key));
  if (dropped.length > 0) losses.push(droppedText(dropped));
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0))
    losses.push('its timeout is not a number of seconds and is dropped');
  const limit = milliseconds(timeout, (text) => losses.push(text.replace(/\.$/, '')));
  for (const loss of losses) warn(loss);
  const setRoot = readsRoot ? `export CLAUDE_PLUGIN_ROOT="${variables.root}"; ` : '';
  const setOptions = [...optionsRead(scriptsOfClaude, variables)]
    .map(([name, setting]) => `export ${name}="$${setting}"; `)
    .join('');
  const env = scriptsOfClaude.some(({ readsRoot: reads }) => reads)
    ? { env: { CLAUDE_PLUGIN_ROOT: variables.root } }
    : {};
  return { type: 'command', command: setOptions + setRoot + replaced, claudeEvent, ...limit, ...env };
}

/** Values of the user that scripts read from their environment, and the variables that have them here. */
function optionsRead(
  scripts: readonly ScriptOfClaude[],
  { settings }: VariableContext,
): ReadonlyMap<string, string> {
  const read = new Set(scripts.flatMap(({ options }) => options));
  return new Map(
    [...settings].flatMap(([key, setting]) => {
      const name = `CLAUDE_PLUGIN_OPTION_${key.toUpperCase().replace(/\W/g, '_')}`;
      return read.has(name) ? [[name, setting] as const] : [];
    }),
  );
}

/** The shell reads them from its environment: their text never becomes a part of the command. */
function settingsOfShell(command: string, { settings }: VariableContext): string {
  const names = new Set(settings.values());
  return command.replace(/\$\{(\w+)\}/g, (whole, name: string) => (names.has(name) ? `\${${name}-}` : whole));
}

/** With `args` Claude Code starts the program itself: a path with spaces is one word, and `$` is a character. */
function withoutShell(command: string, args: readonly unknown[]): string {
  // A bare name with further words is a mistake there; a shell runs it.
  const isPath = /^\S*(?:[\\/]|\$\{)/.test(command);
  return [isPath ? quoted(command) : command, ...args.map((word) => quoted(String(word)))].join(' ');
}

function droppedText(keys: readonly string[]): string {
  return `dropped ${keys.map((key) => key.slice(0, 40)).join(', ')}`;
}

/** Only variables of the plugin are replaced. */
function quoted(arg: string): string {
  if (!VARIABLE.test(arg)) return shellQuote(arg);
  const parts = arg.split(/(\$\{(?:CLAUDE_\w+|user_config\.[\w.-]+)\})/);
  return `"${parts.map((part) => (VARIABLE.test(part) ? part : part.replace(/(["\\`$])/g, '\\$1'))).join('')}"`;
}

const VARIABLE = /\$\{(?:CLAUDE_\w+|user_config\.[\w.-]+)\}/;

/** Of hooks with the same command only one would run, so each gets a name of its own. */
function withNames(hooks: Record<string, OutputDefinition[]>): Record<string, OutputDefinition[]> {
  for (const [event, definitions] of Object.entries(hooks)) {
    const all = definitions.flatMap((definition) => definition.hooks);
    for (const [index, hook] of all.entries())
      if (all.filter(({ command }) => command === hook.command).length > 1)
        hook.name = `${event}-${index + 1}`;
  }
  return hooks;
}
