/** Draws what a session did and used. */
import type { StatsView } from '../../history/item.js';
import { roleName } from '../../history/role-name.js';
import type { Look } from '../look.js';
import { cleanLine } from '../text/clean.js';
import { narrower } from '../text/narrow.js';
import { type Span, span } from '../text/spans.js';
import { stylesOf } from '../themes/styles.js';
import { BOX_COLUMNS, boxed } from './box.js';
import {
  type Cell,
  count,
  duration,
  type Field,
  fieldLines,
  gridLines,
  percent,
  title,
  wrapLine,
} from './fields.js';

export function statsLines(stats: StatsView, look: Look): string[] {
  return boxed(statsBody('This session', stats, narrower(look, BOX_COLUMNS)), look);
}

/** Without the frame, for the goodbye box. */
export function statsBody(heading: string, stats: StatsView, look: Look): string[] {
  const sections = [
    [...fieldLines(interaction(stats, look), look)],
    [title('Time', look), ...fieldLines(performance(stats, look), look)],
    usageLines(stats, look),
    agentLines(stats, look),
    quotaLines(stats, look),
  ].filter((section) => section.length > 0);
  return [title(heading, look), ...sections.flatMap((section) => ['', ...section])];
}

function interaction({ sessionId, auth, account, tier, metrics, cost }: StatsView, look: Look): Field[] {
  const styles = stylesOf(look.theme);
  const { tools, files } = metrics;
  const fields: Field[] = [{ label: 'Session ID:', value: sessionId }];
  if (auth) fields.push({ label: 'Auth Method:', value: account ? `${auth} (${account})` : auth });
  if (tier) fields.push({ label: 'Tier:', value: tier });
  fields.push({
    label: 'Tool Calls:',
    value: look.screenReader
      ? `${tools.totalCalls}, ${tools.totalSuccess} succeeded, ${tools.totalFail} failed`
      : [
          span(`${count(tools.totalCalls)} ( `, styles.primary),
          span(`✓ ${count(tools.totalSuccess)}`, styles.success),
          span(' ', styles.primary),
          span(`x ${count(tools.totalFail)}`, styles.error),
          span(' )', styles.primary),
        ],
  });
  if (tools.totalCalls > 0)
    fields.push({ label: 'Success Rate:', value: [rateSpan(tools.totalSuccess, tools.totalCalls, look)] });
  const { accept, reject, modify } = tools.totalDecisions;
  const reviewed = accept + reject + modify;
  if (reviewed > 0) {
    const share: Span[] = [
      rateSpan(accept, reviewed, look),
      span(` (${count(reviewed)} reviewed)`, styles.secondary),
    ];
    fields.push({ label: 'User Agreement:', value: share });
  }
  if (files.totalLinesAdded > 0 || files.totalLinesRemoved > 0) {
    fields.push({
      label: 'Code Changes:',
      value: [
        span(`+${count(files.totalLinesAdded)}`, styles.success),
        span(' '),
        span(`-${count(files.totalLinesRemoved)}`, styles.error),
      ],
    });
  }
  const money = cost ?? metrics.cost_usd;
  if (money !== undefined) fields.push({ label: 'Cost:', value: `$${money.toFixed(money < 1 ? 4 : 2)}` });
  return fields;
}

function performance({ metrics, wallMs }: StatsView, look: Look): Field[] {
  const { secondary, primary } = stylesOf(look.theme);
  const apiMs = Object.values(metrics.models).reduce((total, model) => total + model.api.totalLatencyMs, 0);
  const toolMs = metrics.tools.totalDurationMs;
  const active = apiMs + toolMs;
  const shared = (ms: number) => [span(duration(ms), primary), span(` (${percent(ms, active)})`, secondary)];
  const indent = look.screenReader ? '' : '  ↳ ';
  return [
    { label: 'Wall Time:', value: duration(wallMs) },
    { label: 'Agent Active:', value: duration(active) },
    { label: `${indent}API Time:`, value: shared(apiMs) },
    { label: `${indent}Tool Time:`, value: shared(toolMs) },
  ];
}

function usageLines({ metrics }: StatsView, look: Look): string[] {
  const { secondary, success, primary } = stylesOf(look.theme);
  const models = Object.entries(metrics.models);
  if (models.length === 0) return [];
  const rows = models.flatMap(([name, model]): Cell[][] => [
    usageRow(name, model.api.totalRequests, model.tokens),
    ...Object.entries(model.roles).map(([role, used]) =>
      usageRow(roleLabel(name, role, look), used.totalRequests, used.tokens).map((cell) => ({
        ...cell,
        style: secondary,
      })),
    ),
  ]);
  const lines = gridLines(['Model', 'Requests', 'Input', 'Cache Reads', 'Output'], rows, look);
  const cached = models.reduce((total, [, model]) => total + model.tokens.cached, 0);
  const prompt = models.reduce((total, [, model]) => total + model.tokens.prompt, 0);
  if (cached === 0) return lines;
  const saving = [
    span('Cache savings: ', success),
    span(
      `${count(cached)} of ${count(prompt)} input tokens (${percent(cached, prompt)}) were read from the cache.`,
      primary,
    ),
  ];
  return [...lines, '', ...wrapLine(saving, look)];
}

/** What each sub-agent used; the table above has it, too. */
function agentLines({ metrics, agentCosts = {} }: StatsView, look: Look): string[] {
  const agents = Object.entries(metrics.agents ?? {});
  if (agents.length === 0) return [];
  const rows = agents.map(([name, { runs, requests, toolCalls, tokens }]): Cell[] => {
    const cost = Object.hasOwn(agentCosts, name) ? agentCosts[name] : undefined;
    return [
      { text: cleanLine(name) },
      { text: count(runs) },
      { text: count(requests) },
      { text: count(toolCalls) },
      { text: count(tokens.total) },
      { text: cost === undefined ? '' : `$${cost.toFixed(cost < 1 ? 4 : 2)}` },
    ];
  });
  return gridLines(['Agent', 'Runs', 'Requests', 'Tool Calls', 'Tokens', 'Cost'], rows, look);
}

function roleLabel(model: string, role: string, { screenReader }: Look): string {
  return screenReader ? `${model} ${roleName(role)}` : `  ↳ ${roleName(role)}`;
}

function usageRow(
  name: string,
  requests: number,
  tokens: { input: number; cached: number; candidates: number },
): Cell[] {
  return [
    { text: name },
    { text: count(requests) },
    { text: count(tokens.input) },
    { text: count(tokens.cached) },
    { text: count(tokens.candidates) },
  ];
}

function quotaLines({ quota }: StatsView, look: Look): string[] {
  if (!quota || quota.length === 0) return [];
  const styles = stylesOf(look.theme);
  const rows = quota.map(({ model, usedPercent, resetTime }): Cell[] => [
    { text: model },
    {
      text: `${Math.round(usedPercent)}% used`,
      style: usedPercent >= 90 ? styles.error : usedPercent >= 75 ? styles.warning : styles.success,
    },
    { text: resetTime ? `resets ${resetTime}` : '', style: styles.secondary },
  ]);
  return gridLines(['Quota', 'Used', 'Reset'], rows, look);
}

/** Green, yellow or red. */
export function rateSpan(part: number, whole: number, look: Look): Span {
  const { success, warning, error, secondary } = stylesOf(look.theme);
  const share = whole > 0 ? part / whole : undefined;
  const style = share === undefined ? secondary : share >= 0.95 ? success : share >= 0.85 ? warning : error;
  return span(percent(part, whole), style);
}
