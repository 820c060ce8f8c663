/** The smaller fields of a manifest; a value of a wrong type is reported and counts as absent. */
import { isAbsolute } from 'node:path';
import { isObject } from '../../base/objects.js';
import type { ExtensionCapabilities, ExtensionManifest } from '../types.js';
import type { ExtensionRoot, FieldReport } from './field-report.js';
import { insidePath } from './inside-path.js';

export function readExcludeTools(value: unknown, report: FieldReport): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const list = typeof value === 'string' ? [value] : value;
  if (Array.isArray(list)) return texts(list, 'excludeTools', report);
  report('excludeTools', 'must be a list of tool names; it is ignored.');
  return undefined;
}

export function readThemes(value: unknown, report: FieldReport): unknown[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) {
    report('themes', 'must be a list; it is ignored.');
    return undefined;
  }
  return value.filter((theme: unknown, index) => {
    const isNamed = isObject(theme) && typeof theme['name'] === 'string' && theme['name'].trim() !== '';
    if (!isNamed) report(`themes[${index}]`, 'has no name; it is ignored.');
    return isNamed;
  });
}

export function readPlan(value: unknown, report: FieldReport): ExtensionManifest['plan'] {
  if (value === undefined || value === null) return undefined;
  const directory = isObject(value) ? value['directory'] : value;
  if (directory === undefined || directory === null || directory === '') return undefined;
  if (typeof directory !== 'string' || !isObject(value)) {
    report('plan.directory', 'must be a path; it is ignored.');
    return undefined;
  }
  if (isAbsolute(directory) || directory.split(/[\\/]/).includes('..') || directory.includes('\0')) {
    report('plan.directory', 'must be a path inside the project; it is ignored.');
    return undefined;
  }
  return { directory };
}

/** Rights that cannot be read count as none: a typing mistake must not give more than was meant. */
export function readCapabilities(value: unknown, report: FieldReport): ExtensionCapabilities | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) report('capabilities', 'must be an object; the extension gets no rights.');
  const given = isObject(value) ? value : {};
  const files = given['files'];
  if (files !== undefined && !isObject(files))
    report('capabilities.files', 'must be an object with "read" and "write"; no file is allowed.');
  const list = (item: unknown, key: string) => {
    if (item === undefined || item === null) return [];
    const items: unknown = typeof item === 'string' ? [item] : item;
    if (Array.isArray(items)) return texts(items, key, report);
    report(key, 'must be a list of texts; nothing is allowed.');
    return [];
  };
  const { read, write } = isObject(files) ? files : {};
  return {
    files: { read: list(read, 'capabilities.files.read'), write: list(write, 'capabilities.files.write') },
    network: list(given['network'], 'capabilities.network'),
    executables: list(given['executables'], 'capabilities.executables'),
  };
}

/** One path or several, `{name, path}` items, or a map from names to paths. A `SKILL.md` stands for its folder. */
export function readSkills(value: unknown, root: ExtensionRoot, report: FieldReport): string[] | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string' && !Array.isArray(value) && !isObject(value)) {
    report('skills', 'must be a list of folders; it is ignored.');
    return undefined;
  }
  const items: unknown[] = isObject(value) ? Object.values(value) : [value].flat();
  return items.flatMap((item, index) => {
    const written: unknown = isObject(item) ? (item['path'] ?? item['file']) : item;
    const found = insidePath(typeof written === 'string' ? skillFolder(written) : written, root);
    if ('path' in found) return [found.path];
    report(`skills[${index}]`, `${found.refused}; it is ignored.`);
    return [];
  });
}

function skillFolder(path: string): string {
  return path === 'SKILL.md' ? '.' : path.replace(/(?<=[^\\/])[\\/]SKILL\.md$/, '');
}

function texts(list: readonly unknown[], key: string, report: FieldReport): string[] {
  const found = list.filter((item): item is string => typeof item === 'string' && item.trim() !== '');
  if (found.length < list.length) report(key, 'has entries that are not texts; they are ignored.');
  return found;
}
