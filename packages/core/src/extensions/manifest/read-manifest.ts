/** Reads `gemini-extension.json`. What is wrong in one part harms no other part. */
import { join } from 'node:path';
import { codeOf, messageOf } from '../../base/errors.js';
import { JsoncError, parseJsonc } from '../../base/jsonc.js';
import { isObject } from '../../base/objects.js';
import { FileError } from '../../platform/files/file-error.js';
import { isInside, realPathOf } from '../../platform/files/real-path.js';
import { readFileBytes } from '../../platform/files/safe-read.js';
import { type ExtensionManifest, type ExtensionProblem, MANIFEST_FILE } from '../types.js';
import { contextFileNames } from './context-file-names.js';
import type { FieldReport } from './field-report.js';
import { readCapabilities, readExcludeTools, readPlan, readSkills, readThemes } from './fields.js';
import { readManifestServers } from './servers.js';
import { readManifestSettings } from './settings-list.js';
import { substitutePathVariables } from './variables.js';

export interface ManifestContext {
  workspacePath: string;
  /** What `${extensionPath}` means; absent: the folder itself. */
  extensionPath?: string;
}

export interface ReadManifest {
  /** Absent exactly when a problem is an error. */
  manifest?: ExtensionManifest;
  /** As written, without keys that reach prototypes. */
  raw?: Readonly<Record<string, unknown>>;
  problems: ExtensionProblem[];
}

const NAME = /^[a-zA-Z0-9-]+$/;
const MAX_BYTES = 4 * 1024 * 1024;

export function readManifest(dir: string, context: ManifestContext): ReadManifest {
  const file = join(dir, MANIFEST_FILE);
  const problems: ExtensionProblem[] = [];
  const fail = (message: string, more: Partial<ExtensionProblem> = {}): ReadManifest => ({
    problems: [...problems, { level: 'error', message, file, ...more }],
  });
  const text = readText(dir, file);
  if ('problem' in text) return fail(text.problem);
  let written: unknown;
  try {
    written = withoutPrototypeKeys(parseJsonc(text.text));
  } catch (error) {
    if (isLinkAsText(text.text))
      return fail(
        `${file} holds only the path "${text.text.trim()}": it is a symbolic link that was checked out as text. ` +
          'Replace it by the file it names.',
      );
    const line = error instanceof JsoncError ? error.line : undefined;
    const where = line === undefined ? '' : ` (line ${line})`;
    return fail(
      `${file} is not valid JSON: ${messageOf(error)}${where}.`,
      line === undefined ? {} : { line },
    );
  }
  if (!isObject(written)) return fail(`${file} must hold a JSON object.`);
  const extensionPath = context.extensionPath ?? dir;
  const fields = substitutePathVariables(written, { extensionPath, workspacePath: context.workspacePath });
  const identity = readIdentity(fields, file);
  if (!('name' in identity)) return { raw: written, problems: [...problems, ...identity.problems] };
  const report: FieldReport = (key, message) =>
    void problems.push({ level: 'warning', message: `${key} ${message}`, file, key });
  const manifest = withoutUndefined({
    ...identity,
    description: optionalText(fields, 'description', report),
    mcpServers: readManifestServers(fields['mcpServers'], report),
    contextFileName: contextFileNames(fields['contextFileName'], { dir, extensionPath }, report),
    excludeTools: readExcludeTools(fields['excludeTools'], report),
    settings: readManifestSettings(fields['settings'], report),
    themes: readThemes(fields['themes'], report),
    plan: readPlan(fields['plan'], report),
    migratedTo: optionalText(fields, 'migratedTo', report),
    capabilities: readCapabilities(fields['capabilities'], report),
    skills: readSkills(fields['skills'], { dir, extensionPath }, report),
  });
  return { manifest, raw: written, problems };
}

function readText(dir: string, file: string): { text: string } | { problem: string } {
  try {
    const { bytes, realPath } = readFileBytes(file, { limit: MAX_BYTES });
    if (realPath !== file && !isInside(realPath, realPathOf(dir)))
      return { problem: `${file} is a link to a file outside the extension.` };
    const wide = wideEncoding(bytes);
    if (wide) return { problem: `${file} is encoded as ${wide}. Save it as UTF-8.` };
    return { text: bytes.toString('utf8').replace(/^\ufeff/, '') };
  } catch (error) {
    const isMissing =
      (error instanceof FileError && error.problem === 'missing') || codeOf(error) === 'ENOTDIR';
    // This text is known to users of the reference program.
    if (isMissing) return { problem: `Configuration file not found at ${file}` };
    return { problem: `${file} cannot be read: ${messageOf(error)}` };
  }
}

function wideEncoding(bytes: Buffer): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'UTF-16 (little endian)';
  if (first === 0xfe && second === 0xff) return 'UTF-16 (big endian)';
  // Without a byte order mark: JSON begins with two ASCII characters.
  if (bytes.length >= 2 && second === 0 && first !== 0) return 'UTF-16 (little endian)';
  return bytes.length >= 2 && first === 0 && second !== 0 ? 'UTF-16 (big endian)' : undefined;
}

/** Git without symbolic links writes the target's path into the file. */
function isLinkAsText(text: string): boolean {
  return /^[^\s{}[\]"]+$/.test(text.trim()) && /[\\/]|\.json$/.test(text.trim());
}

function readIdentity(
  { name, version }: Readonly<Record<string, unknown>>,
  file: string,
): Pick<ExtensionManifest, 'name' | 'version'> | { problems: ExtensionProblem[] } {
  const problems: ExtensionProblem[] = [];
  const refuse = (key: string, message: string) =>
    problems.push({ level: 'error', message: `${key} ${message}`, file, key });
  if (name === undefined || name === '') refuse('name', `is missing in ${file}.`);
  else if (typeof name !== 'string') refuse('name', `must be a text in ${file}.`);
  else if (!NAME.test(name)) {
    const shown = name.replace(/[^\x20-\x7e]/g, '?');
    refuse('name', `"${shown}" is not allowed in ${file}: use letters, digits and dashes only.`);
  }
  const read = typeof version === 'number' ? String(version) : version;
  if (read === undefined || read === '' || read === null) refuse('version', `is missing in ${file}.`);
  else if (typeof read !== 'string') refuse('version', `must be a text in ${file}.`);
  if (problems.length > 0 || typeof name !== 'string' || typeof read !== 'string') return { problems };
  return { name, version: read };
}

function optionalText(
  fields: Readonly<Record<string, unknown>>,
  key: string,
  report: FieldReport,
): string | undefined {
  const value = fields[key];
  if (value === undefined || value === null || typeof value === 'string') return value || undefined;
  report(key, 'must be a text; it is ignored.');
  return undefined;
}

const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

function withoutPrototypeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypeKeys);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !PROTOTYPE_KEYS.has(key))
      .map(([key, item]) => [key, withoutPrototypeKeys(item)]),
  );
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(value: T): Defined<T>;
function withoutUndefined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined));
}
