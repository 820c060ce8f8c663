/** Writes a converted plugin as the root of an extension: completely, checked, or not at all. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf, messageOf } from '../../../base/errors.js';
import { isInside, realPathOf } from '../../../platform/files/real-path.js';
import { entriesIn, tryLstat } from '../../../platform/files/try-read.js';
import { type ValidateOptions, validateExtension } from '../../validate/validate-extension.js';
import { ConvertError } from '../convert-error.js';
import type { ComponentKind, ConvertedPlugin, ReportRow } from '../types.js';
import { contentOf, putFile } from './put-file.js';

export type CheckCommands = NonNullable<ValidateOptions['checkCommands']>;

export interface WriteRequest {
  converted: ConvertedPlugin;
  /** Absolute. */
  output: string;
  /** Replaces an extension that is there. */
  force: boolean;
  /** The command line knows the format of command files. */
  checkCommands?: CheckCommands;
  /** Folders that must not be replaced: the plugin, the current folder. */
  keep: readonly string[];
}

/** @throws ConvertError; the output is then as it was @returns whether it was there already, exactly so, and what only the author can repair */
export async function writeExtension(
  request: WriteRequest,
): Promise<{ unchanged: boolean; rows: ReportRow[] }> {
  const { converted, force, keep, checkCommands } = request;
  const output = realPathOf(resolve(request.output));
  if (isThere(output, converted)) return { unchanged: true, rows: (await check(output, checkCommands)).rows };
  requireFree(output, force, keep);
  const parent = dirname(output);
  const created = firstMissing(parent);
  let staging: string | undefined;
  try {
    mkdirSync(parent, { recursive: true });
    staging = mkdtempSync(join(parent, '.gemini-convert-'));
    // Called like the extension, as the checks want it.
    const folder = join(staging, converted.name);
    const rows = await writeAndCheck(converted, folder, checkCommands);
    swap(folder, output, join(staging, 'old'));
    return { unchanged: false, rows };
  } catch (error) {
    if (created !== undefined && staging !== undefined) rmSync(created, { recursive: true, force: true });
    if (error instanceof ConvertError) throw error;
    throw new ConvertError(
      `${output} cannot be written (${codeOf(error) ?? messageOf(error)}). Nothing was changed.`,
      {
        cause: error,
      },
    );
  } finally {
    if (staging !== undefined) rmSync(staging, { recursive: true, force: true });
  }
}

/** @param folder does not exist, and is called like the extension; the caller removes it after an error */
export async function writeAndCheck(
  converted: ConvertedPlugin,
  folder: string,
  checkCommands: CheckCommands | undefined,
): Promise<ReportRow[]> {
  mkdirSync(folder, { recursive: true });
  for (const [path, file] of converted.files) putFile(folder, path, file);
  const { problems, rows } = await check(folder, checkCommands);
  if (problems.length === 0) return rows;
  const more = problems.length > SHOWN ? `; and ${problems.length - SHOWN} more` : '';
  throw new ConvertError(
    `The converted extension "${converted.name}" is not valid, so nothing was written: ` +
      `${problems.slice(0, SHOWN).join('; ')}${more}`,
  );
}

const SHOWN = 5;
const KINDS: Readonly<Record<string, ComponentKind>> = {
  'plain-secret': 'setting',
  'skill-standard': 'skill',
};

/** Everything counts that the conversion itself is to blame for; faults of the plugin are passed on. */
async function check(
  folder: string,
  checkCommands: CheckCommands | undefined,
): Promise<{ problems: string[]; rows: ReportRow[] }> {
  const found = await validateExtension(folder, { strict: true, ...(checkCommands && { checkCommands }) });
  const real = realPathOf(folder);
  const plain = (text: string) => text.replaceAll(`${real}/`, '').replaceAll(`${folder}/`, '');
  const own = found.filter(({ kind }) => kind === undefined);
  const passedOn = found.filter(({ kind }) => kind !== undefined);
  return {
    problems: own.map(({ message, file }) =>
      file ? `${basename(file)}: ${plain(message)}` : plain(message),
    ),
    rows: passedOn.map(({ message, kind, file = folder }) => ({
      action: 'warned',
      kind: KINDS[kind ?? ''] ?? (basename(file) === 'hooks.json' ? 'hook' : 'mcp-server'),
      source: plain(file),
      reason: plain(message).replace(/\.$/, ''),
    })),
  };
}

function requireFree(output: string, force: boolean, keep: readonly string[]): void {
  const stats = tryLstat(output);
  if (!stats) return;
  if (!stats.isDirectory())
    throw new ConvertError(`${output} is not a folder. Choose another one: --output DIR`);
  if (readdirSync(output).length === 0) return;
  if (!force)
    throw new ConvertError(
      `${output} exists already. Replace it with --force, or choose another: --output DIR`,
    );
  const holds = keep.find((folder) => isInside(realpathSync(folder), output));
  if (holds !== undefined)
    throw new ConvertError(
      `${output} contains ${holds}, so it is not replaced. Choose another: --output DIR`,
    );
  if (!existsSync(join(output, 'gemini-extension.json')))
    throw new ConvertError(
      `${output} is not an extension, so it is not replaced. Choose another: --output DIR`,
    );
}

/** The uppermost folder that has to be made. */
function firstMissing(folder: string): string | undefined {
  if (existsSync(folder)) return undefined;
  const parent = dirname(folder);
  return firstMissing(parent) ?? folder;
}

function swap(folder: string, output: string, old: string): void {
  const isReplacing = tryLstat(output) !== undefined;
  if (isReplacing) renameSync(output, old);
  try {
    renameSync(folder, output);
  } catch (error) {
    if (isReplacing) renameSync(old, output);
    throw error;
  }
}

/** The same files with the same content, and no others. */
function isThere(output: string, { files }: ConvertedPlugin): boolean {
  if (!tryLstat(output)?.isDirectory()) return false;
  const found = filesBelow(output, '');
  return (
    found.length === files.size &&
    found.every((path) => {
      const file = files.get(path);
      const stats = tryLstat(join(output, path));
      if (!file || !stats) return false;
      if ('linkTo' in file) return stats.isSymbolicLink() && readlinkSync(join(output, path)) === file.linkTo;
      const isExecutable = (stats.mode & 0o100) !== 0;
      return (
        stats.isFile() &&
        isExecutable === file.isExecutable &&
        readFileSync(join(output, path)).equals(contentOf(file))
      );
    })
  );
}

function filesBelow(root: string, below: string): string[] {
  return entriesIn(join(root, below)).flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(root, path) : [path];
  });
}
