/** The user's settings.json. Read once at start; a file that does not parse stops us, its restrictions are unknown. */
import { readFileSync } from 'node:fs';
import { codeOf, FatalConfigError, messageOf } from '../base/errors.js';
import { JsoncError, parseJsonc } from '../base/jsonc.js';
import { Storage } from '../platform/storage.js';

/** The keys that have an effect so far. */
export interface UserSettings {
  model?: { name?: string; maxSessionTurns?: number };
  output?: { format?: string };
  general?: { maxAttempts?: number; defaultApprovalMode?: string };
  tools?: {
    core?: string[];
    exclude?: string[];
    allowed?: string[];
    useRipgrep?: boolean;
    truncateToolOutputThreshold?: number;
    sandbox?: unknown;
    shell?: {
      enableInteractiveShell?: boolean;
      inactivityTimeout?: number;
      pager?: string;
      showColor?: boolean;
    };
  };
  security?: { disableYoloMode?: boolean };
  context?: {
    includeDirectories?: string[];
    includeDirectoryTree?: boolean;
    fileFiltering?: {
      respectGitIgnore?: boolean;
      respectGeminiIgnore?: boolean;
      customIgnoreFilePaths?: string[];
    };
  };
}

type Check = 'string' | 'number' | 'boolean' | 'strings' | 'any';

const KNOWN: Record<string, Check> = {
  'model.name': 'string',
  'model.maxSessionTurns': 'number',
  'output.format': 'string',
  'general.maxAttempts': 'number',
  'general.defaultApprovalMode': 'string',
  'tools.core': 'strings',
  'tools.exclude': 'strings',
  'tools.allowed': 'strings',
  'tools.useRipgrep': 'boolean',
  'tools.truncateToolOutputThreshold': 'number',
  'tools.sandbox': 'any',
  'tools.shell.enableInteractiveShell': 'boolean',
  'tools.shell.inactivityTimeout': 'number',
  'tools.shell.pager': 'string',
  'tools.shell.showColor': 'boolean',
  'security.disableYoloMode': 'boolean',
  'context.includeDirectories': 'strings',
  'context.includeDirectoryTree': 'boolean',
  'context.fileFiltering.respectGitIgnore': 'boolean',
  'context.fileFiltering.respectGeminiIgnore': 'boolean',
  'context.fileFiltering.customIgnoreFilePaths': 'strings',
};

/** @param warn told about each key of a wrong type, which is then left out */
export function loadUserSettings(warn: (message: string) => void): UserSettings {
  const path = Storage.getUserSettingsPath();
  const root = readObject(path);
  const settings: Record<string, unknown> = {};
  for (const [keyPath, check] of Object.entries(KNOWN)) {
    const value = valueAt(root, keyPath);
    if (value === undefined) continue;
    if (fits(value, check)) putAt(settings, keyPath, value);
    else warn(`${path}: ${keyPath} must be ${NAMES[check]}; this setting is ignored.`);
  }
  return settings as UserSettings;
}

const NAMES: Record<Check, string> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  strings: 'a list of texts',
  any: 'anything',
};

function readObject(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {};
    throw new FatalConfigError(`Cannot read ${path}: ${messageOf(error)}`, error);
  }
  if (text.trim() === '') return {};
  try {
    const value = parseJsonc(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch (error) {
    const place = error instanceof JsoncError ? `:${error.line}:${error.column}` : '';
    throw new FatalConfigError(
      `${path}${place} is not valid JSON: ${messageOf(error)}. Correct the file.`,
      error,
    );
  }
  throw new FatalConfigError(`${path} must hold one JSON object. Correct the file.`);
}

function fits(value: unknown, check: Check): boolean {
  if (check === 'any') return true;
  if (check === 'strings') return Array.isArray(value) && value.every((item) => typeof item === 'string');
  return typeof value === check;
}

function valueAt(root: unknown, keyPath: string): unknown {
  let current = root;
  for (const key of keyPath.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}

function putAt(root: Record<string, unknown>, keyPath: string, value: unknown): void {
  const keys = keyPath.split('.');
  const last = keys.pop() as string;
  let current = root;
  for (const key of keys) {
    current[key] ??= {};
    current = current[key] as Record<string, unknown>;
  }
  current[last] = value;
}
