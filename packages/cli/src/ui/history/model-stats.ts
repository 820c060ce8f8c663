/** Draws requests and tokens with one column per model. */
import type { SessionMetrics } from '@gemini-cli/core';
import { roleName } from '../../history/role-name.js';
import type { Look } from '../look.js';
import { cleanLine } from '../text/clean.js';
import { narrower } from '../text/narrow.js';
import { span } from '../text/spans.js';
import { stylesOf } from '../themes/styles.js';
import { BOX_COLUMNS, boxed } from './box.js';
import { type Cell, count, duration, gridLines, percent, title, wrapLine } from './fields.js';

type Model = SessionMetrics['models'][string];

export function modelStatsLines(metrics: SessionMetrics, look: Look): string[] {
  const inner = narrower(look, BOX_COLUMNS);
  const { secondary } = stylesOf(look.theme);
  const models = Object.entries(metrics.models).filter(([, model]) => model.api.totalRequests > 0);
  const head = [title('Models', look), ''];
  if (models.length === 0)
    return boxed(
      [...head, ...wrapLine([span('No model has been asked in this session yet.', secondary)], inner)],
      look,
    );
  const row = (label: string, value: (model: Model) => string): Cell[] => [
    { text: label },
    ...models.map(([, model]) => ({ text: value(model) })),
  ];
  const roles = [...new Set(models.flatMap(([, model]) => Object.keys(model.roles)))];
  const rows: Cell[][] = [
    [{ text: 'API', style: stylesOf(look.theme).accentBold }],
    row('  Requests', ({ api }) => count(api.totalRequests)),
    row(
      '  Errors',
      ({ api }) => `${count(api.totalErrors)} (${percent(api.totalErrors, api.totalRequests)})`,
    ),
    row('  Average Latency', ({ api }) => duration(api.totalLatencyMs / Math.max(1, api.totalRequests))),
    [{ text: 'Tokens', style: stylesOf(look.theme).accentBold }],
    row('  Total', ({ tokens }) => count(tokens.total)),
    row('  ↳ Input', ({ tokens }) => count(tokens.input)),
    row(
      '  ↳ Cache Reads',
      ({ tokens }) => `${count(tokens.cached)} (${percent(tokens.cached, tokens.prompt)})`,
    ),
    row('  ↳ Thoughts', ({ tokens }) => count(tokens.thoughts)),
    row('  ↳ Tool', ({ tokens }) => count(tokens.tool)),
    row('  ↳ Output', ({ tokens }) => count(tokens.candidates)),
    ...(roles.length > 0 ? [[{ text: 'Roles', style: stylesOf(look.theme).accentBold }]] : []),
    ...roles.map((role) => row(`  ↳ ${cleanLine(roleName(role))}`, (model) => roleText(model, role))),
  ];
  const grid = gridLines(
    ['Metric', ...models.map(([name]) => cleanLine(name))],
    look.screenReader ? rows.filter((cells) => cells.length > 1) : rows,
    inner,
  );
  return boxed([...head, ...grid], look);
}

function roleText(model: Model, role: string): string {
  const used = Object.hasOwn(model.roles, role) ? model.roles[role] : undefined;
  return used ? `${count(used.totalRequests)} requests, ${count(used.tokens.total)} tokens` : '-';
}
