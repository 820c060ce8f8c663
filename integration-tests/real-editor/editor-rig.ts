/** VS Code in a browser: a server with our extension, a home of its own, a scripted model, and windows. */
import {
  chmodSync,
  existsSync,
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
import {
  type Browser,
  BUNDLE,
  type ModelServer,
  openBrowser,
  type Page,
  startModelServer,
} from '@gemini-cli/test-utils/rig';
import { expect, vi } from 'vitest';
import { type RunningProcess, runProcess } from '../../packages/test-utils/src/running-cli.js';
import { installCodeServer } from '../../scripts/code-server.mjs';
import { EditorWindow } from './editor-window.js';

const root = join(import.meta.dirname, '../..');

/** Nothing that moves, asks or calls out. */
const SETTINGS = {
  'workbench.startupEditor': 'none',
  'workbench.colorTheme': 'Default Light Modern',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'window.commandCenter': false,
  'chat.commandCenter.enabled': false,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'editor.minimap.enabled': false,
  'editor.accessibilitySupport': 'off',
  'diffEditor.renderSideBySide': true,
  'diffEditor.useInlineViewWhenSpaceIsLimited': false,
  // Rows of text, which a test can read.
  'terminal.integrated.gpuAcceleration': 'off',
  'terminal.integrated.shellIntegration.enabled': false,
  'terminal.integrated.defaultProfile.linux': 'bash',
  'remote.autoForwardPorts': false,
  'gemini-cli.debug.logging.enabled': true,
};

export class EditorRig {
  readonly home: string;
  private readonly windows: EditorWindow[] = [];

  private constructor(
    private readonly folder: string,
    private readonly server: RunningProcess,
    private readonly url: string,
    private readonly browser: Browser,
    private readonly context: ReturnType<Page['context']>,
    readonly model: ModelServer,
  ) {
    this.home = join(folder, 'home');
  }

  /** @param projects files of each folder, by name */
  static async start(projects: Record<string, Record<string, string>>): Promise<EditorRig> {
    const entry = installCodeServer(root);
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-ide-')));
    const model = await startModelServer();
    const home = join(folder, 'home');
    for (const [name, files] of Object.entries(projects)) {
      for (const [path, text] of Object.entries(files)) write(join(home, name, path), text);
    }
    write(join(folder, 'data/User/settings.json'), JSON.stringify(SETTINGS));
    // Here and not in the variable: the editor asks a login shell for the variables of terminals.
    write(join(home, '.bashrc'), `PS1='$ '\nPATH="${join(folder, 'bin')}:$PATH"\n`);
    // Not the first start, which would show tips.
    write(join(home, '.gemini/state.json'), JSON.stringify({ tipsShown: 10 }));
    write(join(folder, 'bin/gemini'), shim(join(folder, 'running')));
    mkdirSync(join(folder, 'running'));
    chmodSync(join(folder, 'bin/gemini'), 0o755);
    mkdirSync(join(folder, 'tmp'));
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      SHELL: '/bin/bash',
      // The discovery files of this rig, apart from those of the machine.
      TMPDIR: join(folder, 'tmp'),
      GEMINI_CLI_HOME: home,
      GEMINI_API_KEY: 'test',
      GOOGLE_GEMINI_BASE_URL: model.url,
    };
    const places = ['--user-data-dir', join(folder, 'data'), '--extensions-dir', join(folder, 'extensions')];
    const listen = ['--auth', 'none', '--bind-addr', '127.0.0.1:0', '--disable-update-check'];
    const words = [entry, ...places, ...listen, '--disable-getting-started-override'];
    const server = runProcess(process.execPath, words, { cwd: folder, env, timeoutMs: 600_000 });
    server.done.catch(() => {}); // killed at the end
    await server.waitForStdout(/listening on http:\S+/);
    const [, url = ''] = /listening on (http:\S+)/.exec(server.stdout) ?? [];
    const browser = await openBrowser();
    // Windows of one user: they share what the editor remembers.
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    return new EditorRig(folder, server, url, browser, context, model);
  }

  async openWindow(project: string): Promise<EditorWindow> {
    const page = await this.context.newPage();
    await page.goto(`${this.url}?folder=${encodeURIComponent(this.path(project))}`);
    const window = new EditorWindow(page);
    this.windows.push(window);
    await window.waitUntilReady();
    return window;
  }

  /** Of a project, or of what the program keeps: projects are in the home folder. */
  path(relative: string): string {
    return join(this.home, relative);
  }

  read(relative: string): string {
    return readFileSync(this.path(relative), 'utf8');
  }

  exists(relative: string): boolean {
    return existsSync(this.path(relative));
  }

  /** What the windows have announced. */
  discoveryFiles(): string[] {
    const folder = join(this.folder, 'tmp/gemini/ide');
    return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  }

  /** A picture for the docs, when it was asked for. */
  async picture(window: EditorWindow, name: string): Promise<void> {
    if (process.env['UPDATE_DOCS'] === undefined) return;
    await window.page.screenshot({ path: join(root, `docs/images/${name}.png`) });
  }

  /** What the windows looked like when a step failed. */
  async keepPictures(step: string): Promise<void> {
    const folder = join(root, 'node_modules/.cache/test-ide');
    mkdirSync(folder, { recursive: true });
    for (const [index, { page }] of this.windows.entries()) {
      const path = join(folder, `${step.replaceAll(/\W+/g, '-')}-${index}.png`);
      await page.screenshot({ path });
      console.error(`Window ${index + 1} at the time: ${path}`);
    }
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.server.killGroup();
    await this.model.close();
    // A hang-up ends the programs in the terminals; until then they write to their home.
    try {
      await vi.waitFor(() => expect(readdirSync(join(this.folder, 'running'))).toEqual([]), {
        timeout: 20_000,
      });
    } finally {
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
  }
}

/** The program as `gemini`; a file in `folder` tells that it runs. */
function shim(folder: string): string {
  return `#!/bin/sh
touch "${folder}/$$"
trap 'rm -f "${folder}/$$"' EXIT
trap : HUP
"${process.execPath}" "${BUNDLE}" "$@"
`;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
