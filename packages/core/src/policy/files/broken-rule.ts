/**
 * Stopgaps for deny and ask rules with errors: until the user corrects the rule, calls of the tools it names ask. A
 * mistake in a restriction must never allow what the rule was meant to restrict.
 */
import { PolicyDecision } from '../../protocol/confirmation.js';
import { RUN_SHELL_COMMAND } from '../../protocol/tool-names.js';
import {
  type CompileContext,
  compileRule,
  decisionIn,
  isTable,
  RuleError,
  type Table,
} from '../rules/compile-rule.js';
import type { PolicyRule } from '../rules/rule.js';

const SHELL_KEYS = ['commandPrefix', 'commandRegex', 'command_pattern', 'condition'];
const HIGHEST = 999;

/** Undefined for allow rules, and where no tool name can be read. */
export function stopgapFor(table: Table, context: CompileContext): PolicyRule | undefined {
  if (decisionIn(table) === PolicyDecision.ALLOW) return undefined;
  const { priority: wanted, toolName, mcpName } = table;
  const isPriority =
    typeof wanted === 'number' && Number.isInteger(wanted) && wanted >= 0 && wanted <= HIGHEST;
  const names = namesIn(toolName);
  const isShell = SHELL_KEYS.some((key) => table[key] !== undefined);
  const tools = [...names, ...(isShell && mcpName === undefined ? [RUN_SHELL_COMMAND] : [])];
  const base: Table = {
    ...(tools.length > 0 && { toolName: [...new Set(tools)] }),
    ...(typeof mcpName === 'string' && { mcpName }),
    decision: PolicyDecision.ASK_USER,
    priority: isPriority ? wanted : HIGHEST,
  };
  if (base['toolName'] === undefined && base['mcpName'] === undefined) return undefined;
  // As narrow as possible: first with all conditions, then with those on the caller, then for the tools alone.
  const { type: _type, action: _action, safety_checker: _checker, ...conditions } = table;
  const callers = Object.fromEntries(
    Object.entries(table).filter(([key]) => ['modes', 'interactive', 'subagent'].includes(key)),
  );
  const silent = { ...context, warn: () => undefined };
  const narrow = { ...conditions, ...(names.length > 0 ? { toolName: names } : {}) };
  for (const extra of [narrow, callers, {}]) {
    const rule = compiled(
      { ...base, ...extra, decision: base['decision'], priority: base['priority'] },
      silent,
    );
    if (rule) return { ...rule, isStopgap: true };
  }
  return undefined;
}

function namesIn(toolName: unknown): string[] {
  const list = Array.isArray(toolName) ? toolName : [toolName];
  return list.filter((name): name is string => typeof name === 'string' && name.trim() !== '');
}

function compiled(table: Table, context: CompileContext): PolicyRule | undefined {
  try {
    return compileRule(table, context);
  } catch (error) {
    if (error instanceof RuleError) return undefined;
    throw error;
  }
}

const HEADER = /^\s*\[\[?\s*"?rules?"?\s*\]?\]?\s*(?:#.*)?$/;

/** The deny and ask rules of a file that is not valid TOML, each table parsed alone. Allow rules are dropped. */
export function restrictionsIn(
  text: string,
  parse: (text: string) => unknown,
  context: CompileContext,
): PolicyRule[] {
  const silent = { ...context, warn: () => undefined };
  return chunksOf(text).flatMap((chunk) => {
    const table = tableIn(chunk, parse) ?? guessedTable(chunk);
    if (decisionIn(table) === PolicyDecision.ALLOW) return [];
    return compiled(table, silent) ?? stopgapFor(table, silent) ?? [];
  });
}

function chunksOf(text: string): string[] {
  const chunks: string[][] = [];
  for (const line of text.split('\n')) {
    if (HEADER.test(line)) chunks.push([]);
    else chunks.at(-1)?.push(line);
  }
  return chunks.map((lines) => lines.join('\n'));
}

function tableIn(chunk: string, parse: (text: string) => unknown): Table | undefined {
  try {
    const table = parse(chunk.replace(/\[rules?\./g, '['));
    return isTable(table) ? table : undefined;
  } catch {
    return undefined;
  }
}

function guessedTable(chunk: string): Table {
  const value = (key: string) => new RegExp(`^\\s*${key}\\s*=\\s*(.+)$`, 'm').exec(chunk)?.[1];
  const texts = (line = '') => [...line.matchAll(/["']([^"']+)["']/g)].map(([, text = '']) => text);
  const [decision] = texts(value('decision') ?? value('type'));
  const shellKeys = SHELL_KEYS.filter((key) => value(key) !== undefined).map((key) => [key, 0]);
  return { toolName: texts(value('toolName')), decision, ...Object.fromEntries(shellKeys) };
}
