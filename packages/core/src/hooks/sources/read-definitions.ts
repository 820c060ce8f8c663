/** Reads a map from events to definitions of any type. One wrong entry does not cost the others. */
import { isObject } from '../../base/objects.js';
import type { DeclaredRights } from '../../platform/sandbox/rights/types.js';
import type { HookSource } from '../registry.js';
import { type CommandHookConfig, type HookDefinition, HookEventName } from '../types.js';

export interface ReadOptions {
  onUnknownEvent: (event: string) => void;
  /** @param where e.g. `BeforeTool[0].hooks[1]` */
  onInvalid: (where: string) => void;
  /** False: this hook is left out. Gets it as written. */
  keeps?: (hook: CommandHookConfig) => boolean;
  /** Replaces variables in a string. */
  finish?: (text: string) => string;
  /** Wins over the hooks' own. */
  env?: Readonly<Record<string, string>>;
  /** What all of them may use; absent: no restriction. */
  rights?: DeclaredRights;
}

const RESERVED: ReadonlySet<string> = new Set(['enabled', 'disabled', 'notifications']);
const CLAUDE_EVENTS: ReadonlySet<string> = new Set([
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
  'SubAgentStop',
  'PreCompact',
  'PermissionRequest',
]);

/** True for an event that only Claude Code has. */
export function isClaudeEvent(name: string): boolean {
  return CLAUDE_EVENTS.has(name);
}

export function readDefinitions(
  map: Record<string, unknown>,
  options: ReadOptions,
): HookSource['definitions'] {
  return Object.entries(map).flatMap(([event, value]) => {
    if (RESERVED.has(event)) return [];
    const eventName = Object.values(HookEventName).find((known) => known === event);
    if (!eventName) {
      options.onUnknownEvent(event);
      return [];
    }
    const groups = Array.isArray(value) ? value : [value];
    return groups.flatMap((group, index) => {
      const definition = readGroup(group, `${event}[${index}]`, options);
      return definition ? [{ ...definition, eventName }] : [];
    });
  });
}

function readGroup(group: unknown, where: string, options: ReadOptions): HookDefinition | undefined {
  const isWrong = (value: unknown, type: string) => value !== undefined && typeof value !== type;
  if (!isObject(group) || !Array.isArray(group['hooks']) || isWrong(group['matcher'], 'string')) {
    options.onInvalid(where);
    return undefined;
  }
  const { matcher, sequential, onlyWhenCompressing } = group;
  return {
    ...(typeof matcher === 'string' && { matcher }),
    ...(typeof sequential === 'boolean' && { sequential }),
    ...(typeof onlyWhenCompressing === 'boolean' && { onlyWhenCompressing }),
    hooks: group['hooks'].flatMap((hook, index) => readHook(hook, `${where}.hooks[${index}]`, options)),
  };
}

function readHook(hook: unknown, where: string, options: ReadOptions): CommandHookConfig[] {
  const { keeps = () => true, finish = (text) => text, env = {} } = options;
  if (!isObject(hook) || hook['type'] !== 'command' || typeof hook['command'] !== 'string') {
    options.onInvalid(where);
    return [];
  }
  const { name, description, timeout, claudeEvent } = hook;
  const own = isObject(hook['env']) ? hook['env'] : {};
  const texts = Object.entries(own).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  const written: CommandHookConfig = {
    type: 'command',
    command: hook['command'],
    ...(typeof name === 'string' && { name }),
    ...(typeof description === 'string' && { description }),
    ...(typeof timeout === 'number' && timeout > 0 && { timeout }),
    ...(typeof claudeEvent === 'string' && { claudeEvent }),
  };
  if (!keeps(written)) return [];
  const finished = texts.map(([key, value]) => [key, finish(value)] as const);
  return [
    {
      ...written,
      command: finish(written.command),
      env: { ...Object.fromEntries(finished), ...env },
      ...(options.rights && { rights: options.rights }),
    },
  ];
}
