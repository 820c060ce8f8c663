/** `/cost`: tokens and cost by model and role, and the remaining budget. */
import { type Budget, type Config, visibleName } from '@gemini-cli/core';
import { roleName } from '../../history/role-name.js';
import type { CommandContext } from '../types.js';
import type { Action } from './define.js';
import { engineOf } from './needs.js';

export const cost: Action = (context) => {
  const config = engineOf(context);
  const ledger = config.getLedger();
  const { calls, tokens, cost } = ledger.totals();
  const rows = ledger.rows().map((row) => ({
    name: `${row.model} (${row.agent === undefined ? roleName(row.role) : `agent ${visibleName(row.agent)}`})`,
    note: money(row.cost),
    detail: `${callCount(row.calls)}: ${count(row.tokens.prompt)} in (${count(row.tokens.cached)} cached), ${count(
      row.tokens.candidates + row.tokens.thoughts,
    )} out`,
  }));
  const total = {
    name: 'All',
    note: money(cost),
    detail: `${callCount(calls)}, ${count(tokens.total)} tokens`,
  };
  return {
    type: 'items',
    items: [
      {
        type: 'list',
        title: 'Cost of this session',
        rows: rows.length > 0 ? [...rows, total, ...budgets(config, context)] : budgets(config, context),
        empty: 'Nothing was used yet, and no budget is set.',
      },
    ],
  };
};

function budgets(config: Config, { session: { stats } }: CommandContext) {
  const ledger = config.getLedger();
  const { maxCost, maxTokens, maxTimeMs, maxToolCalls }: Budget = config.parameters.budget ?? {};
  const spent = ledger.totalCost;
  const left = (limit: number, used: number) => Math.max(0, limit - used);
  const calls = stats.metrics.tools.totalCalls;
  const row = (name: string, note: string) => [{ name: `Budget: ${name}`, note }];
  return [
    ...(maxCost === undefined
      ? []
      : row(
          'money',
          spent === undefined ? 'unknown' : `${money(left(maxCost, spent))} of ${money(maxCost)} left`,
        )),
    ...(maxTokens === undefined
      ? []
      : row('tokens', `${count(left(maxTokens, ledger.totalTokens))} of ${count(maxTokens)} left`)),
    ...(maxTimeMs === undefined
      ? []
      : row('time', `${seconds(left(maxTimeMs, stats.wallMs))} of ${seconds(maxTimeMs)} left`)),
    ...(maxToolCalls === undefined
      ? []
      : row('tool calls', `${left(maxToolCalls, calls)} of ${maxToolCalls} left`)),
  ];
}

/** Four decimals below a dollar: cheap sessions cost fractions of a cent. */
function money(dollars: number | undefined): string {
  if (dollars === undefined) return 'price unknown';
  return `$${dollars.toFixed(dollars !== 0 && dollars < 1 ? 4 : 2)}`;
}

function callCount(calls: number): string {
  return `${count(calls)} ${calls === 1 ? 'call' : 'calls'}`;
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
