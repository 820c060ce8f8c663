// Prints the attack table: each attack, its tests, and their results.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** The attacks on the whole program. */
export const ATTACKS = 'integration-tests/attacks';
const FEWEST = 5;
/** Tests name their row: `[attack 7] …` or `… (attack 7)`. */
const TAG = /[[(]attack (\d+)[\])]/;

function readRows() {
  const rows = JSON.parse(readFileSync(join(root, ATTACKS, 'table.json'), 'utf8'));
  const named = rows.flatMap(({ also = [] }) => also.map(({ file }) => file));
  const missing = named.find((file) => !existsSync(join(root, file)));
  if (missing) throw new Error(`${ATTACKS}/table.json names ${missing}, which does not exist.`);
  return rows;
}

/** What `npm run test:attacks` runs. */
export function attackFiles() {
  const others = readRows().flatMap(({ also = [] }) => also.map(({ file }) => file));
  return [ATTACKS, 'integration-tests/hostile/sandbox.test.ts', ...new Set(others)];
}

/** @param report the JSON of vitest; @returns the text, and whether every row is withstood by enough variants */
export function attackTable(report) {
  const tests = testsOf(report);
  const rows = readRows().map((row) => judge(row, tests));
  const cells = [['#', 'Attack', 'Program', 'Engine', 'Result'], ...rows.map(({ cells }) => cells)];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const lines = cells.map((row) => row.map((cell, column) => align(cell, widths[column], column)).join('  '));
  return { text: lines.map((line) => line.trimEnd()).join('\n'), ok: rows.every(({ ok }) => ok) };
}

function testsOf({ testResults }) {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({
      file: relative(root, name).replaceAll('\\', '/'),
      fullName,
      status,
      row: Number(TAG.exec(fullName)?.[1]),
    })),
  );
}

/** @param row `fewest`: how many tests are wanted, where one test holds many variants or each variant is one of many */
function judge({ row, attack, also = [], engine, fewest, notYet }, tests) {
  if (notYet) return { ok: true, cells: [String(row), attack, '', '', `not applicable yet: ${notYet}`] };
  const counted = tests.filter((test) => test.row === row || also.some((place) => isAt(test, place)));
  const passed = counted.filter(({ status }) => status === 'passed');
  const failed = counted.filter(({ status }) => status === 'failed').length;
  const ofProgram = passed.filter(({ file }) => file.startsWith('integration-tests/')).length;
  const isEnough = (engine || fewest ? passed.length : ofProgram) >= (fewest ?? FEWEST);
  const remarks = [
    failed > 0
      ? `FAILED: ${failed}`
      : isEnough
        ? 'withstood'
        : `TOO FEW VARIANTS (${fewest ?? FEWEST} are wanted)`,
    engine && `(engine: ${engine})`,
  ];
  const skipped = counted.length - passed.length - failed;
  if (skipped > 0) remarks.push(`(${skipped} skipped)`);
  const numbers = [ofProgram, passed.length - ofProgram].map((number) => String(number || ''));
  return {
    ok: failed === 0 && isEnough,
    cells: [String(row), attack, ...numbers, remarks.filter(Boolean).join(' ')],
  };
}

function isAt(test, { file, name }) {
  return test.file === file && (name === undefined || new RegExp(name).test(test.fullName));
}

const RIGHT = new Set([0, 2, 3]);

function align(cell, width, column) {
  return RIGHT.has(column) ? cell.padStart(width) : cell.padEnd(width);
}
