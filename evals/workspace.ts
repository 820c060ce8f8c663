/** A throw-away copy of the fixture with a home of its own, and what it contains before and after a run. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { compiledCode } from '../packages/test-utils/src/bundle.js';
import type { EvalTask } from './task.js';

const FIXTURE = join(import.meta.dirname, 'fixtures/bookshop');

const GIT_CONFIG = `[user]
name = Eval
email = eval@example.com
[init]
defaultBranch = main
[core]
fsync = none
`;

/** Content by path relative to the folder, without `.git`. */
export type FolderContent = ReadonlyMap<string, Buffer>;

export class Workspace {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-eval-')));
  readonly home = join(this.root, 'home');
  readonly directory = join(this.root, 'workspace');
  /** The program's environment points here, so that settings of the machine have no effect. */
  readonly env: Record<string, string> = {
    HOME: this.home,
    GEMINI_CLI_HOME: this.home,
    GEMINI_CLI_SYSTEM_DEFAULTS_PATH: join(this.root, 'defaults.json'),
    GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(this.root, 'system.json'),
  };
  readonly original: FolderContent;

  private constructor(task: EvalTask, defaults: object) {
    cpSync(FIXTURE, this.directory, { recursive: true });
    for (const [path, content] of Object.entries(task.files ?? {}))
      write(join(this.directory, path), content);
    for (const [path, content] of Object.entries(task.home ?? {})) write(join(this.home, path), content);
    const configuration = join(this.home, '.gemini');
    write(join(this.home, '.gitconfig'), GIT_CONFIG);
    write(join(configuration, 'trustedFolders.json'), JSON.stringify({ [this.directory]: 'TRUST_FOLDER' }));
    write(join(configuration, 'settings.json'), JSON.stringify(task.settings ?? {}));
    write(join(this.root, 'defaults.json'), JSON.stringify(defaults));
    compiledCode.giveTo(this.home);
    this.original = this.content();
  }

  /** With everything committed to git, as in a project of a user. */
  static async make(task: EvalTask, defaults: object = {}): Promise<Workspace> {
    const workspace = new Workspace(task, defaults);
    await workspace.git('init', '-q');
    await workspace.git('add', '-A');
    await workspace.git('commit', '-q', '-m', 'The bookshop');
    return workspace;
  }

  content(): FolderContent {
    const files = new Map<string, Buffer>();
    const visit = (directory: string) => {
      for (const entry of readdirSync(directory, { withFileTypes: true })) {
        const path = join(directory, entry.name);
        if (entry.isDirectory() && entry.name !== '.git') visit(path);
        else if (entry.isFile()) files.set(relative(this.directory, path), readFileSync(path));
      }
    };
    visit(this.directory);
    return files;
  }

  /** What a git command prints. */
  async git(...args: string[]): Promise<string> {
    const env = { PATH: process.env['PATH'], HOME: this.home, GIT_CONFIG_NOSYSTEM: '1' };
    const { stdout } = await promisify(execFile)('git', args, { cwd: this.directory, env });
    return stdout.trim();
  }

  write(path: string, content: string | Uint8Array): void {
    write(join(this.directory, path), content);
  }

  remove(): void {
    compiledCode.keepFrom(this.home);
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
