/** Hooks as rows of data, for JSON and the panel, and as text. */
import { visibleName } from '@gemini-cli/core';

export interface HookRow {
  event: string;
  name: string;
  /** `project`, `user`, `system`, `extensions` or `runtime`. */
  source: string;
  matcher?: string;
  command?: string;
  description?: string;
  /** Milliseconds. */
  timeout: number;
  sequential: boolean;
  enabled: boolean;
}

/** What the registry of core knows of a hook. */
export interface ConfiguredHook {
  eventName: string;
  name: string;
  source: string;
  matcher?: string;
  sequential?: boolean;
  enabled: boolean;
  config: { description?: string; timeout?: number; command?: string };
}

const DEFAULT_TIMEOUT_MS = 60_000;

/** @param mask removes secrets: a command may contain one */
export function hookRows(hooks: readonly ConfiguredHook[], mask: (text: string) => string): HookRow[] {
  return hooks.map(({ eventName, name, source, matcher, sequential = false, enabled, config }) => ({
    event: eventName,
    name: mask(name),
    source,
    ...(matcher !== undefined && { matcher }),
    ...(config.command !== undefined && { command: mask(config.command) }),
    ...(config.description !== undefined && { description: mask(config.description) }),
    timeout: config.timeout ?? DEFAULT_TIMEOUT_MS,
    sequential,
    enabled,
  }));
}

/** By event, in the order in which they run. */
export function formatHooks(rows: readonly HookRow[]): string {
  if (rows.length === 0) return 'No hooks are configured.';
  const events = [...new Set(rows.map(({ event }) => event))];
  const blocks = events.map((event) => {
    const hooks = rows.filter((row) => row.event === event);
    return [event, ...hooks.flatMap(hookLines)].join('\n');
  });
  return `Hooks (${rows.length}):\n\n${blocks.join('\n\n')}`;
}

function hookLines(row: HookRow): string[] {
  const { name, command, description } = row;
  return [
    `  ${visibleName(name)} [${row.enabled ? 'enabled' : 'disabled'}]`,
    `    ${hookFacts(row)}`,
    ...(command !== undefined && command !== name ? [`    ${visibleName(command)}`] : []),
    ...(description ? [`    ${visibleName(description)}`] : []),
  ];
}

/** Where a hook comes from, what it is for and how long it may take, in one line. */
export function hookFacts({ source, matcher = '', timeout, sequential }: HookRow): string {
  const isForAll = ['', '*'].includes(matcher.trim());
  return [
    `source: ${source}`,
    isForAll ? 'matcher: everything' : `matcher: ${visibleName(matcher)}`,
    `timeout: ${timeout / 1000} s`,
    ...(sequential ? ['sequential'] : []),
  ].join(', ');
}
