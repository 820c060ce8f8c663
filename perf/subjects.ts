/** The measured programs: ours, the floor, and optionally a peer. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

export type SubjectName = 'program' | 'floor' | 'peer';

export interface Subject {
  name: SubjectName;
  command: string[];
}

const HERE = import.meta.dirname;
const BUNDLE = process.env['BUNDLE_UNDER_TEST'] ?? resolve(HERE, '../packages/cli/dist/gemini.cjs');
/** The directory of the build. */
export const BUILT = dirname(BUNDLE);
export const PEAK_MEMORY = join(HERE, 'peak-memory.cjs');

export function subjects(peer: string | undefined): Subject[] {
  if (!existsSync(BUNDLE)) throw new Error(`${BUNDLE} is missing: run "npm run build" first.`);
  const ours: Subject[] = [
    { name: 'program', command: [process.execPath, BUNDLE] },
    { name: 'floor', command: [process.execPath, join(HERE, 'floor.cjs')] },
  ];
  return peer ? [...ours, { name: 'peer', command: peer.split(/\s+/).filter(Boolean) }] : ours;
}

export interface Place {
  home: string;
  workspace: string;
  remove(): void;
}

/** A home and a workspace: ten files to read, and 100 in each of the folders to search: 4,000 in 40. */
export function makePlace({ folders = 40 } = {}): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-bench-')));
  const home = join(root, 'home');
  const workspace = join(root, 'workspace');
  mkdirSync(join(home, '.gemini'), { recursive: true });
  mkdirSync(workspace);
  const trusted = { [workspace]: 'TRUST_FOLDER' };
  writeFileSync(join(home, '.gemini', 'trustedFolders.json'), JSON.stringify(trusted), { mode: 0o600 });
  for (let file = 0; file < 10; file++) {
    writeFileSync(join(workspace, `read-${file}.txt`), `line of file ${file}\n`.repeat(20));
  }
  for (let folder = 0; folder < folders; folder++) {
    const path = join(workspace, 'tree', `folder-${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < 100; file++)
      writeFileSync(join(path, `module-${file}.ts`), sourceFile(folder, file));
  }
  return { home, workspace, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** Only the variables a run needs: an inherited NODE_EXTRA_CA_CERTS costs more time than the program. */
export function cleanEnv(place: Place, baseUrl: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: place.home,
    GEMINI_CLI_HOME: place.home,
    GEMINI_API_KEY: 'bench',
    GOOGLE_GEMINI_BASE_URL: baseUrl,
  };
}

/** The ripgrep the program would use: the one on PATH, else the bundled one. */
export function ripgrep(): string {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((directory) => join(directory, 'rg'));
  const found = onPath.find((path) => existsSync(path));
  if (found) return found;
  const bundled: unknown = createRequire(resolve(HERE, '../packages/core/package.json'))('@vscode/ripgrep');
  return (bundled as { rgPath: string }).rgPath;
}

function sourceFile(folder: number, file: number): string {
  const lines = [`export const name = 'module ${folder}/${file}';`];
  for (let line = 0; line < 40; line++)
    lines.push(`export function step${line}(input: number) { return input + ${line}; }`);
  if (file === 50) lines.push(`// needle in folder ${folder}`);
  return `${lines.join('\n')}\n`;
}
