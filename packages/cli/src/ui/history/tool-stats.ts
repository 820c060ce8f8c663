/** Draws calls, success rate and decisions per tool. */
import type { SessionMetrics } from '@gemini-cli/core';
import type { Look } from '../look.js';
import { cleanLine } from '../text/clean.js';
import { narrower } from '../text/narrow.js';
import { span } from '../text/spans.js';
import { stylesOf } from '../themes/styles.js';
import { BOX_COLUMNS, boxed } from './box.js';
import { type Cell, count, duration, fieldLines, gridLines, title, wrapLine } from './fields.js';
import { rateSpan } from './stats.js';

export function toolStatsLines({ tools }: SessionMetrics, look: Look): string[] {
  const inner = narrower(look, BOX_COLUMNS);
  const { secondary, primary } = stylesOf(look.theme);
  const head = [title('Tools', look), ''];
  const used = Object.entries(tools.byName).filter(([, tool]) => tool.count > 0);
  if (used.length === 0)
    return boxed(
      [...head, ...wrapLine([span('No tool has been called in this session yet.', secondary)], inner)],
      look,
    );
  const rows = used.map(([name, tool]): Cell[] => {
    const rate = rateSpan(tool.success, tool.count, look);
    return [
      { text: cleanLine(name) },
      { text: count(tool.count) },
      { text: rate.text, style: rate.style },
      { text: duration(tool.durationMs / tool.count) },
    ];
  });
  const { accept, reject, modify } = tools.totalDecisions;
  const reviewed = accept + reject + modify;
  const agreement = reviewed > 0 ? [rateSpan(accept, reviewed, look)] : [span('--', primary)];
  const decisions = fieldLines(
    [
      { label: 'Reviewed:', value: count(reviewed) },
      { label: '  Accepted:', value: count(accept) },
      { label: '  Rejected:', value: count(reject) },
      { label: '  Modified:', value: count(modify) },
      { label: 'Agreement Rate:', value: agreement },
    ],
    inner,
  );
  return boxed(
    [
      ...head,
      ...gridLines(['Tool', 'Calls', 'Success Rate', 'Average'], rows, inner),
      '',
      title('Your decisions', look),
      ...decisions,
    ],
    look,
  );
}
