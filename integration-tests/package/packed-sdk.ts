/** The packed SDK and core in an empty folder, as `npm install <tarballs>` would install them, but without a network. */
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const repo = join(import.meta.dirname, '../..');

export interface PackedFolder {
  folder: string;
  remove(): void;
}

/** @param extra further libraries, linked from the workspace */
export async function packedSdk(extra: readonly string[] = []): Promise<PackedFolder> {
  for (const name of ['core', 'sdk', 'cli'])
    if (!existsSync(join(repo, 'packages', name, 'dist')))
      throw new Error('Run "npm run build" before this test.');
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sdk-consumer-')));
  await run(process.execPath, [join(repo, 'scripts/pack.mjs'), '--built', join(folder, 'tarballs')]);
  for (const name of ['core', 'sdk', 'cli']) {
    const tarball =
      readdirSync(join(folder, 'tarballs')).find((file) => file.startsWith(`gemini-cli-${name}-`)) ?? '';
    const target = join(folder, 'node_modules/@gemini-cli', name);
    mkdirSync(target, { recursive: true });
    await run('tar', ['-xzf', join(folder, 'tarballs', tarball), '-C', target, '--strip-components=1']);
    const { dependencies = {} } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
    for (const library of Object.keys(dependencies)) link(folder, library, name);
  }
  for (const library of [...extra, '@types/node']) link(folder, library, 'sdk');
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function link(folder: string, library: string, owner: string): void {
  const path = join(folder, 'node_modules', library);
  if (library.startsWith('@gemini-cli/') || existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  const own = join(repo, 'packages', owner, 'node_modules', library);
  symlinkSync(realpathSync(existsSync(own) ? own : join(repo, 'node_modules', library)), path, 'junction');
}
