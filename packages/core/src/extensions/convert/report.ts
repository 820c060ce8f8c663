/** The report of a conversion as text: losses first, copied files as a number. */
import type { ReportAction, ReportRow } from './types.js';

export interface ConversionReport {
  plugin: string;
  version: string;
  /** Where the result is. */
  output: string;
  /** False: nothing was written (--dry-run). */
  written: boolean;
  /** True: the result was there already. */
  unchanged?: boolean;
  counts: Record<ReportAction, number>;
  rows: readonly ReportRow[];
}

export function countRows(rows: readonly ReportRow[]): Record<ReportAction, number> {
  const counts: Record<ReportAction, number> = { converted: 0, copied: 0, skipped: 0, warned: 0 };
  for (const { action } of rows) counts[action]++;
  return counts;
}

export function reportText(report: ConversionReport): string {
  const { plugin, version, output, written, unchanged, counts, rows } = report;
  const shown = rows.filter(({ action }) => action !== 'copied');
  const lines = (['converted', 'skipped', 'warned'] as const).flatMap((action) =>
    shown.filter((row) => row.action === action).map(lineOf),
  );
  const sum = `${counts.converted} converted, ${counts.copied} copied, ${counts.skipped} skipped, ${counts.warned} warnings`;
  const last = unchanged
    ? `Unchanged: ${output}`
    : written
      ? `Written: ${output}`
      : `Nothing was written (--dry-run). It would go to: ${output}`;
  return `${[`${plugin} ${version}`, ...lines, '', `${sum}.`, last].join('\n')}\n`;
}

function lineOf({ action, kind, source, target, reason }: ReportRow): string {
  const path = target === undefined || target === source ? source : `${source} -> ${target}`;
  return `  ${action.padEnd(9)} ${kind} ${path}${reason === undefined ? '' : `: ${reason}`}`;
}
