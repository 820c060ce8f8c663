/** A home folder, a workspace and ports for tests that install; what the user is shown and asked is kept. */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SecretStore } from '../../platform/secrets/secret-store.js';
import { loadExtensions } from '../load/load-extensions.js';
import type { GeminiCLIExtension } from '../types.js';
import type { InstallPorts } from './ports.js';

export class InstallLab {
  readonly home: string;
  readonly work: string;
  readonly globalDir: string;
  readonly root: string;
  readonly notices: string[] = [];
  readonly consents: string[] = [];
  readonly questions: string[] = [];
  readonly variables: Record<string, string>;

  constructor(readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'install-lab-')))) {
    this.home = join(base, 'home');
    this.work = join(base, 'work');
    this.globalDir = join(this.home, '.gemini');
    this.root = join(this.globalDir, 'extensions');
    this.variables = {
      HOME: this.home,
      PATH: process.env['PATH'] ?? '',
      GEMINI_FORCE_FILE_STORAGE: 'true',
    };
    for (const dir of [this.globalDir, this.work]) mkdirSync(dir, { recursive: true, mode: 0o700 });
  }

  /** Everything is trusted and agreed to; questions are answered with no. */
  ports(other: Partial<InstallPorts> = {}): InstallPorts {
    return {
      environment: { variables: this.variables, cwd: this.work, home: this.home },
      globalDir: this.globalDir,
      settings: {},
      secrets: this.secrets(),
      trust: { isTrusted: () => true, setTrusted: async () => {} },
      consent: async (text) => this.consents.push(text) > 0,
      ask: async (question) => this.questions.push(question) < 0,
      notice: (message) => void this.notices.push(message),
      ...other,
    };
  }

  /** A new one each time, as in each process. */
  secrets(): SecretStore {
    return new SecretStore({ env: { ...this.variables } });
  }

  loaded(): GeminiCLIExtension[] {
    const { extensions, problems } = loadExtensions({
      globalDir: this.globalDir,
      home: this.home,
      workspacePath: this.work,
      isTrusted: true,
      variables: this.variables,
      settings: {},
    });
    if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'));
    return extensions;
  }

  /** The only installed extension. */
  only(): GeminiCLIExtension {
    const [extension, ...others] = this.loaded();
    if (!extension || others.length > 0) throw new Error(`${others.length + (extension ? 1 : 0)} extensions`);
    return extension;
  }

  /** Everything in the home folder, byte by byte. */
  state(): Record<string, string> {
    return stateBelow(this.home);
  }

  remove(): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}

/** Kind, mode and content of everything below a folder. */
export function stateBelow(root: string): Record<string, string> {
  const entries = readdirSync(root, { withFileTypes: true, recursive: true });
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(root.length + 1), stateOf(path)]));
}

function stateOf(path: string): string {
  const stats = lstatSync(path);
  const mode = (stats.mode & 0o7777).toString(8);
  if (stats.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  return stats.isFile() ? `${mode} ${readFileSync(path, 'latin1')}` : `${mode}/`;
}
