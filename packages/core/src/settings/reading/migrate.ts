/** Converts older setting names and forms to current ones, in the data only; the next save changes the file. */
import { isObject } from '../../base/objects.js';
import { isForbiddenKey, type KeyPath, typeName } from '../key-path.js';
import { valueAt } from '../schema/index.js';
import { coerce } from './coerce.js';
import { EDITOR_NAMES, MODE_NAMES, OBSOLETE, RENAMES, THEME_NAMES } from './legacy-names.js';
import type { Finding } from './parse.js';

export interface Move {
  from: KeyPath;
  /** Undefined: the setting was removed. */
  to?: KeyPath;
  value?: unknown;
}

export interface Migration {
  /** In the order in which to apply them. */
  moves: Move[];
  findings: Finding[];
  /** Keys that were there and mean nothing any more. */
  obsolete: string[];
}

type Root = Record<string, unknown>;

/** Changes `root`, which must be a private copy. If both forms of a setting exist, the current one wins. */
export function migrate(root: Root): Migration {
  const migration: Migration = { moves: [], findings: [], obsolete: [] };
  if (typeof root['model'] === 'string') moveModelName(root, migration);
  movePlanGroup(root, migration);
  for (const { from, to, inverted } of RENAMES) {
    // Cheap check first: most files have none of them.
    if (!Object.hasOwn(root, headOf(from))) continue;
    const source = from.split('.');
    const old = valueAt(root, source);
    if (old === undefined) continue;
    const value = inverted ? opposite(old) : old;
    if (value !== undefined) {
      migration.moves.push(move(root, source, to.split('.'), value));
    } else {
      removeAt(root, source);
      migration.findings.push({ path: source, message: `expected boolean, received ${typeName(old)}` });
    }
  }
  moveQuietPhrases(root, migration);
  moveAgentSwitch(root, migration);
  drop(root, migration);
  respell(root, migration);
  applyAgentLists(root);
  return migration;
}

function headOf(name: string): string {
  const dot = name.indexOf('.');
  return dot < 0 ? name : name.slice(0, dot);
}

function move(root: Root, from: KeyPath, to: KeyPath, value: unknown): Move {
  removeAt(root, from);
  const result = underlay(valueAt(root, to), value);
  setAt(root, to, result);
  return { from, to, value: result };
}

/** The current value, completed with the older one. */
function underlay(present: unknown, older: unknown): unknown {
  if (present === undefined) return older;
  if (!isObject(present) || !isObject(older)) return present;
  const result = { ...older };
  for (const [key, value] of Object.entries(present)) result[key] = underlay(value, older[key]);
  return result;
}

/** Older files have the model's name where the `model` section is now. */
function moveModelName(root: Root, { moves }: Migration): void {
  const value = root['model'];
  root['model'] = { name: value };
  moves.push({ from: ['model'], to: ['model', 'name'], value });
}

function moveQuietPhrases(root: Root, { moves }: Migration): void {
  const from = ['ui', 'accessibility', 'enableLoadingPhrases'];
  if (coerce(valueAt(root, from), ['boolean']) === false)
    moves.push(move(root, from, ['ui', 'loadingPhrases'], 'off'));
}

function moveAgentSwitch(root: Root, { moves }: Migration): void {
  const from = ['agents', 'enabled'];
  const value = valueAt(root, from);
  if (typeof value === 'boolean') moves.push(move(root, from, ['experimental', 'enableAgents'], value));
}

/** The switch was a group in some versions: `{enabled: true}`. */
function movePlanGroup(root: Root, { moves }: Migration): void {
  const from = ['experimental', 'plan'];
  const value = valueAt(root, from);
  if (isObject(value)) moves.push(move(root, from, ['general', 'plan'], value));
}

/** They stay in the file: another version of the program may still read them. */
function drop(root: Root, { obsolete }: Migration): void {
  for (const name of OBSOLETE) {
    if (!Object.hasOwn(root, headOf(name))) continue;
    const path = name.split('.');
    if (valueAt(root, path) === undefined) continue;
    removeAt(root, path);
    obsolete.push(name);
  }
}

function respell(root: Root, { findings, moves }: Migration): void {
  const theme = valueAt(root, ['ui', 'theme']);
  if (typeof theme === 'string' && Object.hasOwn(THEME_NAMES, theme)) {
    const path = ['ui', 'theme'];
    setAt(root, path, THEME_NAMES[theme]);
    moves.push({ from: path, to: path, value: THEME_NAMES[theme] });
  }
  const editor = valueAt(root, ['general', 'preferredEditor']);
  if (typeof editor === 'string' && Object.hasOwn(EDITOR_NAMES, editor))
    setAt(root, ['general', 'preferredEditor'], EDITOR_NAMES[editor]);
  const path = ['general', 'defaultApprovalMode'];
  const mode = valueAt(root, path);
  if (typeof mode !== 'string') return;
  if (Object.hasOwn(MODE_NAMES, mode)) setAt(root, path, MODE_NAMES[mode]);
  if (mode !== 'yolo') return;
  removeAt(root, path);
  findings.push({
    path,
    message: 'a file cannot enable yolo mode; this value is ignored',
    hint: 'Use the flag --approval-mode=yolo for a single run.',
  });
}

/** The lists are short for each agent's `enabled`; an explicit `enabled` wins, then the `disabled` list. */
function applyAgentLists(root: Root): void {
  for (const [key, enabled] of [
    ['disabled', false],
    ['enabled', true],
  ] as const) {
    const path = ['agents', key];
    const names = valueAt(root, path);
    if (!Array.isArray(names)) continue;
    for (const name of names) {
      if (typeof name === 'string') applyAgentSwitch(root, name, enabled);
    }
    // Entries that are not names are reported by the type check.
    setAt(
      root,
      path,
      names.filter((name) => typeof name !== 'string'),
    );
  }
}

function applyAgentSwitch(root: Root, name: string, enabled: boolean): void {
  const overrides = valueAt(root, ['agents', 'overrides']) ?? {};
  if (!isObject(overrides)) return;
  const known = Object.keys(overrides).find((other) => sameAgent(other, name)) ?? name;
  const path = ['agents', 'overrides', known, 'enabled'];
  if (valueAt(root, path) === undefined) setAt(root, path, enabled);
}

function sameAgent(a: string, b: string): boolean {
  return a.replaceAll('-', '_') === b.replaceAll('-', '_');
}

function opposite(value: unknown): boolean | undefined {
  const known = coerce(value, ['boolean']);
  return typeof known === 'boolean' ? !known : undefined;
}

/** Also removes the sections that become empty. */
function removeAt(root: Root, path: KeyPath): void {
  const parent = valueAt(root, path.slice(0, -1));
  if (!isObject(parent)) return;
  delete parent[String(path.at(-1))];
  if (path.length > 1 && Object.keys(parent).length === 0) removeAt(root, path.slice(0, -1));
}

/** Skips a section that is not an object; the type check reports it. */
function setAt(root: Root, path: KeyPath, value: unknown): void {
  const keys = path.map(String);
  const last = keys.pop();
  if (last === undefined || [...keys, last].some(isForbiddenKey)) return;
  let current = root;
  for (const key of keys) {
    if (!Object.hasOwn(current, key)) current[key] = {};
    const next = current[key];
    if (!isObject(next)) return;
    current = next;
  }
  current[last] = value;
}
