/** `gemini hooks migrate --from-claude`: takes hooks of Claude Code over into the workspace settings. */
import { join } from 'node:path';
import { UserError } from '../../base/errors.js';
import { JsoncError, parseJsonc } from '../../base/jsonc.js';
import { isObject, objectOf } from '../../base/objects.js';
import type { LoadedSettings } from '../../settings/loaded-settings.js';
import { readSettingsText } from '../../settings/reading/read-file.js';
import { hooksFromClaude } from './convert.js';
import { mergeHooks } from './merge.js';

export interface MigrationReport {
  /** The file that was read; undefined: this folder has none. */
  from: string | undefined;
  /** The settings file that has them now. */
  to: string;
  /** Number of hooks. */
  added: number;
  /** The events that got them. */
  events: string[];
  /** Hooks that were there already, as `event: command`. */
  duplicates: string[];
  warnings: string[];
}

/** @throws UserError when a file cannot be read or written */
export async function migrateFromClaude(cwd: string, settings: LoadedSettings): Promise<MigrationReport> {
  // In the home directory the workspace file is the user's own.
  const scope = settings.isReadOnly('workspace') ? 'user' : 'workspace';
  const target = settings.file(scope);
  const found = readClaudeHooks(cwd);
  const nothing = { added: 0, events: [], duplicates: [], warnings: [], to: target.path };
  if (!found) return { ...nothing, from: undefined };
  const { hooks, warnings } = hooksFromClaude(found.hooks);
  const existing = objectOf(objectOf(target.raw)['hooks']);
  requireLists(existing, Object.keys(hooks), target.path);
  const { changed, added, duplicates } = mergeHooks(existing, hooks);
  for (const [event, definitions] of Object.entries(changed))
    await settings.setValue(scope, ['hooks', event], definitions);
  return { from: found.path, to: target.path, added, events: Object.keys(changed), duplicates, warnings };
}

const FILES = ['settings.local.json', 'settings.json'];

function readClaudeHooks(cwd: string): { path: string; hooks: unknown } | undefined {
  for (const name of FILES) {
    const path = join(cwd, '.claude', name);
    const { exists, failure, text } = readSettingsText(path);
    if (!exists) continue;
    if (failure !== undefined) throw new UserError(`${path}: ${failure}`);
    const root = parsed(path, text);
    // A local file without hooks often has permissions only.
    if (isObject(root) && 'hooks' in root) return { path, hooks: root['hooks'] };
  }
  return undefined;
}

function parsed(path: string, text: string): unknown {
  try {
    return parseJsonc(text);
  } catch (error) {
    if (!(error instanceof JsoncError)) throw error;
    throw new UserError(`${path}, line ${error.line}, column ${error.column}: ${error.message}`, {
      cause: error,
    });
  }
}

/** A value that is not a list would be replaced, and lost. */
function requireLists(existing: Record<string, unknown>, events: readonly string[], path: string): void {
  const broken = events.find((event) => existing[event] !== undefined && !Array.isArray(existing[event]));
  if (broken) throw new UserError(`${path}: hooks.${broken} must be a list. Correct it first.`);
}
