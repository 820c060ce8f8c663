/** `/policies list`: the rules in force by approval mode, highest priority first. */
import { ApprovalMode, type PolicyRule } from '@gemini-cli/core';
import type { ListRow } from '../../history/item.js';
import type { Action } from './define.js';
import { engineOf } from './needs.js';

const TITLES: readonly [ApprovalMode | undefined, string][] = [
  [undefined, 'Every mode'],
  [ApprovalMode.DEFAULT, 'Default mode'],
  [ApprovalMode.AUTO_EDIT, 'Auto-edit mode'],
  [ApprovalMode.PLAN, 'Plan mode'],
  [ApprovalMode.YOLO, 'Yolo mode'],
];

export const list: Action = (context) => {
  const rules = engineOf(context).getPolicyEngine().getRules();
  return {
    type: 'items',
    items: TITLES.flatMap(([mode, title]) => {
      const rows = rules.filter((rule) => belongsTo(rule, mode)).map(rowOf);
      return rows.length > 0 ? [{ type: 'list' as const, title, rows, empty: '' }] : [];
    }),
  };
};

function belongsTo({ modes }: PolicyRule, mode: ApprovalMode | undefined): boolean {
  return mode === undefined ? modes === undefined : modes?.includes(mode) === true;
}

const STATUS = { allow: 'success', ask_user: 'warning', deny: 'error' } as const;

function rowOf(rule: PolicyRule): ListRow {
  const { decision, toolNames, mcpName, commandPrefixes, commandRegex, commandPattern, argsPattern } = rule;
  const tools = toolNames?.join(', ') ?? 'every tool';
  const narrowed = [
    mcpName && `server ${mcpName}`,
    commandPrefixes && `commands ${commandPrefixes.map((prefix) => `"${prefix}"`).join(', ')}`,
    commandRegex && `commands like ${commandRegex}`,
    commandPattern && `commands with ${commandPattern}`,
    argsPattern && `arguments like ${argsPattern}`,
    rule.subagent && `agent ${rule.subagent}`,
    rule.interactive !== undefined && (rule.interactive ? 'interactive' : 'headless'),
  ].filter((text) => typeof text === 'string');
  return {
    name: `${decision}: ${tools}`,
    note: `${rule.source} (priority ${rule.priority})`,
    ...(narrowed.length > 0 && { detail: narrowed.join('; ') }),
    status: STATUS[decision],
  };
}
