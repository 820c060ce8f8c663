/** Plugins for tests, written as files. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { convertPlugin } from './convert-plugin.js';
import { readPlugin } from './read/read-plugin.js';
import type { ConvertedPlugin, ConvertOptions, ConvertTarget, ReportRow } from './types.js';
import { contentOf } from './write/put-file.js';

export type Files = Readonly<Record<string, string | Buffer | object>>;

export function temporaryFolder(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-plugins-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export function writeFiles(dir: string, files: Files): string {
  for (const [path, content] of Object.entries(files)) {
    const file = join(dir, path);
    mkdirSync(dirname(file), { recursive: true });
    const isText = typeof content === 'string' || Buffer.isBuffer(content);
    writeFileSync(file, isText ? content : JSON.stringify(content));
    if (path.endsWith('.sh')) chmodSync(file, 0o755);
  }
  return dir;
}

export interface Converted extends ConvertedPlugin {
  text(path: string): string;
  /** Lines of the report, `action kind source: reason`. */
  lines: string[];
}

export async function convertFiles(
  files: Files,
  options: ConvertOptions = {},
  target: ConvertTarget = { kind: 'extension' },
): Promise<Converted> {
  const named: Files =
    '.claude-plugin/plugin.json' in files ? {} : { '.claude-plugin/plugin.json': { name: 'demo' } };
  const dir = writeFiles(join(temporaryFolder(), 'demo'), { ...named, ...files });
  const converted = await convertPlugin(await readPlugin({ dir }, options), options, target);
  return {
    ...converted,
    lines: converted.rows.map(lineOf),
    text: (path) => {
      const file = converted.files.get(path);
      if (!file || 'linkTo' in file)
        throw new Error(`no file ${path}: ${[...converted.files.keys()].join(' ')}`);
      return contentOf(file).toString();
    },
  };
}

function lineOf({ action, kind, source, reason }: ReportRow): string {
  return `${action} ${kind} ${source}: ${reason ?? ''}`;
}

/** Every file below a folder with its content. */
export function snapshot(dir: string, below = ''): Record<string, string> {
  return Object.assign(
    {},
    ...readdirSync(join(dir, below), { withFileTypes: true }).map((entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      return entry.isDirectory() ? snapshot(dir, path) : { [path]: readFileSync(join(dir, path), 'utf8') };
    }),
  );
}
