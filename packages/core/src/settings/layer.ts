/** Reads one settings file into checked settings and a list of its problems. */
import { JsoncError } from '../base/jsonc.js';
import { objectOf } from '../base/objects.js';
import { validateSettings } from './checking/validate.js';
import { expandSettings } from './env/expand.js';
import { formatPath, type KeyPath, startsWith } from './key-path.js';
import { type Migration, type Move, migrate } from './reading/migrate.js';
import { type Finding, parseSettings } from './reading/parse.js';
import { placesOf } from './reading/position.js';
import { readSettingsText, type SettingsText } from './reading/read-file.js';
import { type Settings, valueAt } from './schema/index.js';
import type { FileProblem, SettingScope } from './types.js';

/** A file as read; its variables are expanded later, with the environment. */
export interface LayerSource {
  scope: SettingScope;
  file: SettingsText;
  /** Not expanded, old names as they are. */
  raw: Record<string, unknown>;
  findings: readonly Finding[];
  /** The whole file is unusable. */
  failure?: FileProblem;
}

export interface Layer {
  scope: SettingScope;
  settings: Settings;
  problems: FileProblem[];
  /** Old names that were understood, as `old -> new`. */
  renamed: string[];
  /** Keys of older versions that have no meaning any more. */
  obsolete: string[];
}

export function readLayer(scope: SettingScope, path: string): LayerSource {
  const file = readSettingsText(path);
  const source: LayerSource = { scope, file, raw: {}, findings: [] };
  if (file.failure !== undefined) return { ...source, failure: fatal(path, { message: file.failure }) };
  if (!file.exists) return source;
  try {
    const { root, findings } = parseSettings(file.text);
    return { ...source, raw: root, findings };
  } catch (error) {
    if (!(error instanceof JsoncError)) throw error;
    const { message, line, column } = error;
    return { ...source, failure: fatal(path, { message, line, column }) };
  }
}

export function resolveLayer(source: LayerSource, env: NodeJS.ProcessEnv): Layer {
  const { scope, raw, failure } = source;
  // Most of these files do not exist.
  if (!failure && Object.keys(raw).length === 0 && source.findings.length === 0)
    return { scope, settings: {}, problems: [], renamed: [], obsolete: [] };
  const expanded = expandSettings(raw, env);
  const root = objectOf(expanded);
  const migration = migrate(root);
  const { settings, findings } = validateSettings(root, scope);
  const problems = toProblems(source, migration.moves, [
    ...source.findings,
    ...migration.findings,
    ...findings,
  ]);
  const renamed = renamedIn(migration);
  if (failure) problems.unshift(failure);
  if (renamed.length > 0 && (scope === 'system' || scope === 'system-defaults')) {
    problems.push(outdated(source.file.path, renamed));
  }
  return { scope, settings, problems, renamed, obsolete: migration.obsolete };
}

function fatal(file: string, place: Pick<FileProblem, 'message' | 'line' | 'column'>): FileProblem {
  return { severity: 'fatal', file, ...place, hint: 'Correct the file, then try again.' };
}

/** Only an administrator can change these files, so one line is enough. */
function outdated(file: string, renamed: readonly string[]): FileProblem {
  return {
    severity: 'warning',
    file,
    message: `outdated names: ${renamed.join(', ')}`,
    hint: 'They still work; its administrator can change them.',
  };
}

function renamedIn({ moves }: Migration): string[] {
  return moves.flatMap(({ from, to, value }) => {
    if (!to) return [];
    return [`${formatPath(from)} -> ${from === to ? JSON.stringify(value) : formatPath(to)}`];
  });
}

function toProblems(
  { file, raw }: LayerSource,
  moves: readonly Move[],
  findings: readonly Finding[],
): FileProblem[] {
  if (findings.length === 0) return [];
  const written = findings.map(({ path }) => asWritten(path, raw, moves));
  const places = placesOf(
    file.text,
    findings.map(({ offset }, index) => offset ?? written[index] ?? []),
  );
  const problems = findings.map(
    ({ message, hint, fatal, guard, unknown }, index): FileProblem => ({
      severity: fatal ? 'fatal' : 'warning',
      file: file.path,
      ...places[index],
      keyPath: formatPath(written[index] ?? []),
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(guard && { guard }),
      ...(unknown && { unknown }),
    }),
  );
  return problems.sort((a, b) => rankOf(a) - rankOf(b) || (a.line ?? 0) - (b.line ?? 0));
}

/** By consequence: what stops the program, what no longer protects, wrong values, names that mean nothing. */
function rankOf({ severity, guard, unknown }: FileProblem): number {
  if (severity === 'fatal') return 0;
  if (guard) return 1;
  return unknown ? 3 : 2;
}

/** The file may contain the value under an older name. */
function asWritten(path: KeyPath, raw: unknown, moves: readonly Move[]): KeyPath {
  if (valueAt(raw, path) !== undefined) return path;
  for (const { from, to } of moves) {
    if (!to || from === to || !startsWith(path, to)) continue;
    const older = asWritten([...from, ...path.slice(to.length)], raw, moves);
    if (valueAt(raw, older) !== undefined) return older;
  }
  return path;
}
