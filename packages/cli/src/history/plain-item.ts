/** Formats history items as plain text for headless runs. */
import { type SessionMetrics, visibleText } from '@gemini-cli/core';
import { diffText } from './changed-files.js';
import type { AboutView, HelpView, HistoryItemWithoutId, ListRow, StatsView } from './item.js';

/** @returns text without control characters; empty for items that only a screen shows */
export function plainItem(item: HistoryItemWithoutId): string {
  return visibleText(textOf(item));
}

function textOf(item: HistoryItemWithoutId): string {
  switch (item.type) {
    case 'list':
      return item.rows.length === 0 ? item.empty : [`${item.title}:`, ...item.rows.map(rowText)].join('\n');
    case 'help':
      return helpText(item.help);
    case 'about':
      return aboutText(item.about);
    case 'stats':
      return statsText(item.stats);
    case 'model_stats':
      return modelText(item.metrics) || 'No model was called yet.';
    case 'tool_stats':
      return toolText(item.metrics) || 'No tool was called yet.';
    case 'compression':
      return item.status === undefined || item.status === 'NOOP'
        ? 'Nothing to compress.'
        : `Chat history compressed from ${item.originalTokens} to ${item.newTokens} tokens (${item.status}).`;
    case 'tool_group':
      return item.tools.map(({ displayName, description }) => `${displayName} ${description}`).join('\n');
    case 'diff':
      return diffText(item.files, item.cwd);
    case 'model_change':
      return `Model: ${item.model}`;
    case 'quit':
      return '';
    default:
      return item.text;
  }
}

function rowText({ name, note, detail }: ListRow): string {
  const head = `  ${name}${note ? `  (${note})` : ''}`;
  return detail ? `${head}\n${detail.replace(/^/gm, '    ')}` : head;
}

function helpText({ commands, keys }: HelpView): string {
  const lines = commands.flatMap(({ name, altNames = [], description, subCommands = [] }) => [
    `  /${[name, ...altNames].join(', /')}  ${description}`,
    ...subCommands.map((sub) => `    ${sub.name}  ${sub.description}`),
  ]);
  return ['Commands:', ...lines, ...(keys.length > 0 ? ['Keys:', ...keys.map(keyText)] : [])].join('\n');
}

function keyText({ keys, action }: HelpView['keys'][number]): string {
  return `  ${keys}  ${action}`;
}

function aboutText(about: AboutView): string {
  const rows: [string, string | undefined][] = [
    ['Version', about.version],
    ['Commit', about.commit],
    ['Model', about.model],
    ['Sandbox', about.sandbox],
    ['Harmless commands', about.containment],
    ['System', about.os],
    ['Sign-in', about.auth],
    ['Plan', about.tier],
    ['Account', about.account],
    ['IDE', about.ide],
  ];
  return rows.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : [])).join('\n');
}

function statsText({ sessionId, metrics, wallMs, cost, quota = [] }: StatsView): string {
  const { tools, files } = metrics;
  return [
    `Session: ${sessionId}`,
    `Tool calls: ${tools.totalCalls} (${tools.totalSuccess} succeeded, ${tools.totalFail} failed)`,
    `Code changes: +${files.totalLinesAdded} -${files.totalLinesRemoved}`,
    `Wall time: ${Math.round(wallMs / 1000)} s`,
    cost === undefined ? '' : `Cost: $${cost.toFixed(4)}`,
    modelText(metrics),
    ...quota.map(
      ({ model, usedPercent, resetTime }) =>
        `Quota of ${model}: ${Math.round(usedPercent)}% used${resetTime ? `, resets ${resetTime}` : ''}`,
    ),
  ]
    .filter(Boolean)
    .join('\n');
}

function modelText({ models }: SessionMetrics): string {
  return Object.entries(models)
    .map(([name, { api, tokens }]) => {
      const { totalRequests, totalErrors } = api;
      const { input, cached, candidates, thoughts, total } = tokens;
      return `${name}: ${totalRequests} requests, ${totalErrors} errors, tokens: ${input} in, ${cached} cached, ${candidates} out, ${thoughts} thoughts, ${total} in all`;
    })
    .join('\n');
}

function toolText({ tools }: SessionMetrics): string {
  return Object.entries(tools.byName)
    .map(([name, { count, success, durationMs }]) => {
      const average = count === 0 ? 0 : Math.round(durationMs / count);
      return `${name}: ${count} calls, ${success} succeeded, ${average} ms on average`;
    })
    .join('\n');
}
