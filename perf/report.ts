/** The table on the terminal and the same numbers as JSON. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Row } from './row.js';

export interface Verdict extends Row {
  /** Times the base; absent for rows without one. */
  ratio?: number;
  ratioOfMinima?: number;
  pass: boolean;
}

export function judge(row: Row): Verdict {
  if (!row.base) return { ...row, pass: row.program.median <= row.limit };
  const ratio = row.program.median / row.base.value.median;
  const ratioOfMinima = row.program.min / row.base.value.min;
  return {
    ...row,
    ratio,
    ratioOfMinima,
    pass: (row.limitIs === 'ratio' ? ratio : row.program.median) <= row.limit,
  };
}

export function table(verdicts: Verdict[], { withPeer }: { withPeer: boolean }): string {
  const head = [
    '',
    'program',
    '(min)',
    'against',
    'ratio',
    '(min)',
    'limit',
    '',
    ...(withPeer ? ['peer'] : []),
  ];
  const lines = verdicts.map((verdict) => [
    verdict.name,
    amount(verdict.program.median, verdict.unit),
    amount(verdict.program.min, verdict.unit),
    verdict.base ? `${verdict.base.name} ${amount(verdict.base.value.median, verdict.unit)}` : '',
    verdict.ratio?.toFixed(2) ?? '',
    verdict.ratioOfMinima?.toFixed(2) ?? '',
    verdict.limitText,
    outcome(verdict),
    ...(withPeer ? [verdict.peer ? amount(verdict.peer.median, verdict.unit) : 'n/a'] : []),
  ]);
  const widths = head.map((_, column) =>
    Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0)),
  );
  const draw = (line: string[]) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  const notes = verdicts.flatMap(({ name, note, notMeasured }) => {
    const text = notMeasured === undefined ? note : `not measured: ${notMeasured}`;
    return text ? [`${name}: ${text}`] : [];
  });
  return [draw(head), ...lines.map(draw), '', ...notes].join('\n');
}

export function writeJson(path: string, verdicts: Verdict[], options: Record<string, unknown>): void {
  const [cpu] = cpus();
  const machine = {
    node: process.version,
    platform: `${platform()} ${release()} ${arch()}`,
    cpu: cpu?.model,
    cores: cpus().length,
    memoryMB: Math.round(totalmem() / 2 ** 20),
    load: loadavg(),
    commit: commit(),
  };
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    `${JSON.stringify({ at: new Date().toISOString(), machine, options, rows: verdicts }, null, 2)}\n`,
  );
}

function outcome({ pass, notMeasured }: Verdict): string {
  if (notMeasured !== undefined) return 'n/a';
  return pass ? 'pass' : 'MISS';
}

function amount(value: number, unit: Row['unit']): string {
  if (Number.isNaN(value)) return 'n/a';
  if (unit === 'bytes') return `${value.toLocaleString('en')} B`;
  if (unit === 'tokens' || unit === 'count') return Math.round(value).toLocaleString('en');
  if (unit === 'ms' && Math.abs(value) < 1) return `${value.toFixed(2)} ms`;
  return `${value.toFixed(1)} ${unit}`;
}

function commit(): string | undefined {
  try {
    const cwd = resolve(import.meta.dirname, '..');
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined; // not a git checkout, or no commit yet
  }
}
