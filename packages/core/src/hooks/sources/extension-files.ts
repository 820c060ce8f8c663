/** The hooks of extensions: `hooks/hooks.json` and its like, with the extension's variables and settings. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, messageOf } from '../../base/errors.js';
import { JsoncError, parseJsonc } from '../../base/jsonc.js';
import { isObject } from '../../base/objects.js';
import type { FileMemory } from '../../platform/files/file-memory.js';
import type { ExtensionCapabilities } from '../../protocol/extension-capabilities.js';
import type { HookProblem, HookSource } from '../registry.js';
import { ConfigSource, HookEventName } from '../types.js';
import { isClaudeEvent, readDefinitions } from './read-definitions.js';

/** An extension whose hooks are loaded. */
export interface ExtensionHooks {
  /** Absolute. */
  dir: string;
  name: string;
  /** For `${name}` in every string of the file: `extensionPath`, `workspacePath`, … */
  variables: Readonly<Record<string, string>>;
  /** Values of the extension's own settings: variables of the file, and of each hook's environment. */
  settings?: Readonly<Record<string, string>>;
  /** Absolute: the folder with its manifest. */
  extensionPath?: string;
  /** Absent: no restriction. */
  capabilities?: ExtensionCapabilities;
  /** What earlier starts have read. */
  memory?: FileMemory;
}

/** The first that exists counts. */
export const HOOK_FILES = ['hooks/hooks.json', 'hooks/hooks.toml', 'hooks.json', 'hooks.toml'];
const IMPORT_HINT = 'Convert it with "gemini extensions import".';

export async function hooksFromExtension(extension: ExtensionHooks): Promise<HookSource> {
  const problems: HookProblem[] = [];
  const { dir, memory } = extension;
  const known = memory?.recall<ParsedFile>('hooks', dir);
  const lesson = known ? undefined : memory?.lesson('hooks', dir);
  const found = known ?? firstFile(dir, (path) => lesson?.look(path));
  if (!found) return { source: ConfigSource.Extensions, definitions: [] };
  const { file } = found;
  const about = { source: ConfigSource.Extensions, file } as const;
  const say = (kind: HookProblem['kind'], message: string, more: Partial<HookProblem> = {}) =>
    problems.push({ kind, message: `Extension ${extension.name}: ${message}`, ...about, ...more });
  let root: unknown;
  try {
    root = 'text' in found ? await parse(file, found.text) : found.root;
    lesson?.learn({ file, root });
  } catch (error) {
    const line = lineOf(error);
    say('broken_file', `${file} cannot be read: ${firstLine(error)}`, line === undefined ? {} : { line });
    return { source: ConfigSource.Extensions, definitions: [], problems };
  }
  const map = eventMap(root);
  if (!map) {
    say('broken_file', `${file} has no map from events to hooks.`);
    return { source: ConfigSource.Extensions, definitions: [], problems };
  }
  const skipped = Object.keys(map).filter(isClaudeEvent);
  if (skipped.length > 0)
    say('unsupported', `hooks of another program are skipped (${skipped.join(', ')}). ${IMPORT_HINT}`);
  const own = Object.fromEntries(Object.entries(map).filter(([event]) => !isClaudeEvent(event)));
  const definitions = readDefinitions(own, {
    onUnknownEvent: (event) => say('unknown_event', `there is no hook event ${event}.`),
    onInvalid: (where) => say('invalid_entry', `${where} is not a valid hook and is left out.`),
    keeps: ({ command }) => {
      const isForeign = command.includes('CLAUDE_PLUGIN_ROOT') && !command.includes(`\${extensionPath}`);
      if (isForeign) say('unsupported', `a hook that needs CLAUDE_PLUGIN_ROOT is skipped. ${IMPORT_HINT}`);
      return !isForeign;
    },
    finish: (text_) => substitute(text_, extension),
    env: extension.settings ?? {},
    ...(extension.capabilities && {
      rights: {
        extension: extension.name,
        extensionPath: extension.extensionPath ?? extension.dir,
        capabilities: extension.capabilities,
      },
    }),
  });
  return { source: ConfigSource.Extensions, definitions, problems };
}

/** Variables are not replaced yet. */
interface ParsedFile {
  file: string;
  root: unknown;
}

function firstFile(dir: string, look: (path: string) => void): { file: string; text: string } | undefined {
  for (const name of HOOK_FILES) {
    const file = join(dir, name);
    look(file);
    try {
      return { file, text: readFileSync(file, 'utf8') };
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') return { file, text: '' };
    }
  }
  return undefined;
}

async function parse(file: string, text: string): Promise<unknown> {
  if (!file.endsWith('.toml')) return parseJsonc(text);
  const { parse: parseToml } = await import('smol-toml');
  return parseToml(text);
}

/** `{"hooks": {…}}`, or the map itself if its keys are events. */
function eventMap(root: unknown): Record<string, unknown> | undefined {
  if (!isObject(root)) return undefined;
  if (Object.hasOwn(root, 'hooks')) return isObject(root['hooks']) ? root['hooks'] : undefined;
  const known: readonly string[] = Object.values(HookEventName);
  const events = Object.entries(root).filter(([key]) => known.includes(key) || isClaudeEvent(key));
  return events.length > 0 ? Object.fromEntries(events) : undefined;
}

/** Unknown names stay as written: the shell may know them. */
function substitute(text: string, { variables, settings = {} }: ExtensionHooks): string {
  return text.replace(/\$\{([^}]*)\}/g, (written, name: string) => {
    if (Object.hasOwn(variables, name)) return variables[name] ?? written;
    return Object.hasOwn(settings, name) ? (settings[name] ?? written) : written;
  });
}

function lineOf(error: unknown): number | undefined {
  if (error instanceof JsoncError) return error.line;
  return isObject(error) && typeof error['line'] === 'number' ? error['line'] : undefined;
}

function firstLine(error: unknown): string {
  return messageOf(error).split('\n')[0] ?? '';
}
