/** A stand-in for the `vscode` module: tabs, documents, commands and events, without a window. */
import { basename, posix } from 'node:path';
import type * as vscode from 'vscode';

export class FakeUri {
  constructor(
    readonly scheme: string,
    readonly path: string,
    readonly query = '',
  ) {}

  static file(path: string): FakeUri {
    return new FakeUri('file', path);
  }

  static from({ scheme, path = '', query = '' }: { scheme: string; path?: string; query?: string }): FakeUri {
    return new FakeUri(scheme, path, query);
  }

  static joinPath(base: FakeUri, ...words: string[]): FakeUri {
    return new FakeUri(base.scheme, posix.join(base.path, ...words), base.query);
  }

  get fsPath(): string {
    return this.path;
  }

  toString(): string {
    return `${this.scheme}:${this.path}?${this.query}`;
  }
}

class FakeEvent<T> {
  private readonly listeners = new Set<(value: T) => unknown>();

  readonly event = (listener: (value: T) => unknown) => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };

  fire(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }
}

interface Position {
  line: number;
  character: number;
}

class FakeRange {
  constructor(
    readonly start: Position,
    readonly end: Position,
  ) {}
}

export class FakeDocument {
  constructor(
    readonly uri: FakeUri,
    public text: string,
  ) {}

  getText(range?: FakeRange): string {
    return range ? this.text.slice(this.offsetAt(range.start), this.offsetAt(range.end)) : this.text;
  }

  offsetAt({ line, character }: Position): number {
    const before = this.text.split('\n').slice(0, line);
    return before.join('\n').length + (line > 0 ? 1 : 0) + character;
  }

  positionAt(offset: number): Position {
    const lines = this.text.slice(0, offset).split('\n');
    return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  }
}

class FakeTabInputText {
  constructor(readonly uri: FakeUri) {}
}

class FakeTabInputTextDiff {
  constructor(
    readonly original: FakeUri,
    readonly modified: FakeUri,
  ) {}
}

export interface FakeTab {
  label: string;
  input: unknown;
}

interface Shown {
  document: FakeDocument;
  selection: { start: Position; end: Position; active: Position; isEmpty: boolean };
}

export interface FakeFolder {
  name: string;
  uri: FakeUri;
}

export class FakeEditor {
  tabs: FakeTab[] = [];
  activeTab: FakeTab | undefined;
  active: Shown | undefined;
  documents: FakeDocument[] = [];
  folders: FakeFolder[] = [];
  isTrusted = true;
  settings: Record<string, unknown> = {};
  readonly messages: string[] = [];
  readonly lines: string[] = [];
  readonly executed: unknown[][] = [];
  readonly terminals: { name: string; cwd: string; sent: string[] }[] = [];
  readonly variables = new Map<string, string>();
  readonly state = new Map<string, unknown>();
  /** How the user answers the question for a folder. */
  pickFolder: (folders: FakeFolder[]) => FakeFolder | undefined = () => undefined;
  /** What opening a document does to its text, as the editor unifies line ends. */
  normalise = (text: string) => text;
  /** Ids of other extensions. */
  readonly extensions: string[] = [];
  /** Set to let `vscode.diff` fail. */
  diffError: Error | undefined;

  readonly events = {
    active: new FakeEvent<Shown | undefined>(),
    selection: new FakeEvent<{ textEditor: Shown }>(),
    tabs: new FakeEvent<{ opened: FakeTab[]; closed: FakeTab[]; changed: FakeTab[] }>(),
    groups: new FakeEvent<unknown>(),
    visible: new FakeEvent<unknown>(),
    closedDocument: new FakeEvent<FakeDocument>(),
    renamed: new FakeEvent<{ files: { oldUri: FakeUri; newUri: FakeUri }[] }>(),
    deleted: new FakeEvent<{ files: FakeUri[] }>(),
    folders: new FakeEvent<unknown>(),
    trust: new FakeEvent<void>(),
  };

  private readonly commands = new Map<string, (...words: unknown[]) => unknown>();
  private readonly providers = new Map<string, { provideTextDocumentContent(uri: FakeUri): string }>();

  /** What the extension imports as `vscode`. */
  readonly api = this.makeApi() as unknown as typeof vscode;

  /** What the extension gets when it is activated. */
  readonly context = {
    subscriptions: [] as { dispose(): unknown }[],
    extension: { packageJSON: { version: '1.2.3' } },
    extensionUri: FakeUri.file('/extension'),
    environmentVariableCollection: {
      persistent: true,
      description: undefined,
      replace: (name: string, value: string) => this.variables.set(name, value),
      clear: () => this.variables.clear(),
    },
    globalState: {
      get: (key: string) => this.state.get(key),
      update: async (key: string, value: unknown) => void this.state.set(key, value),
    },
  };

  asContext(): vscode.ExtensionContext {
    return this.context as unknown as vscode.ExtensionContext;
  }

  run(command: string, ...words: unknown[]): Promise<unknown> {
    const action = this.commands.get(command);
    if (!action) throw new Error(`There is no command ${command}.`);
    return Promise.resolve(action(...words));
  }

  /** Opens a file in a tab and focuses it, as a click does. */
  openFile(path: string, text = ''): FakeDocument {
    const uri = FakeUri.file(path);
    const document = this.addDocument(uri, text);
    this.addTab({ label: basename(path), input: new FakeTabInputText(uri) });
    this.focus(document);
    return document;
  }

  focus(document: FakeDocument | undefined): void {
    this.active = document && { document, selection: selectionBetween({ line: 0, character: 0 }) };
    this.events.active.fire(this.active);
  }

  select(start: Position, end: Position): void {
    if (!this.active) throw new Error('Nothing is focused.');
    this.active.selection = selectionBetween(start, end);
    this.events.selection.fire({ textEditor: this.active });
  }

  closeTab(tab: FakeTab | undefined): void {
    if (!tab) throw new Error('There is no such tab.');
    this.tabs = this.tabs.filter((one) => one !== tab);
    if (this.activeTab === tab) this.activeTab = this.tabs.at(-1);
    this.events.tabs.fire({ opened: [], closed: [tab], changed: [] });
  }

  /** As the editor does when it shows the tabs of the time before a reload. */
  restoreDiffTab(path: string): FakeTab {
    const uri = FakeUri.from({ scheme: 'gemini-diff', path, query: 'of-an-earlier-window' });
    return this.addTab({ label: 'restored', input: new FakeTabInputTextDiff(FakeUri.file(path), uri) });
  }

  /** Drops a document, as the editor may do with one that is not visible. */
  dropDocument(document: FakeDocument): void {
    this.documents = this.documents.filter((one) => one !== document);
    this.events.closedDocument.fire(document);
  }

  /** The right side of the diff that is looked at. */
  diffDocument(): FakeDocument {
    const { input } = this.activeTab ?? {};
    if (!(input instanceof FakeTabInputTextDiff)) throw new Error('No diff is shown.');
    return this.openDocument(input.modified);
  }

  private openDocument(uri: FakeUri): FakeDocument {
    const open = this.documents.find((one) => one.uri.toString() === uri.toString());
    if (open) return open;
    const text = this.providers.get(uri.scheme)?.provideTextDocumentContent(uri) ?? '';
    return this.addDocument(uri, this.normalise(text));
  }

  private addDocument(uri: FakeUri, text: string): FakeDocument {
    const document = new FakeDocument(uri, text);
    this.documents.push(document);
    return document;
  }

  private addTab(tab: FakeTab): FakeTab {
    this.tabs.push(tab);
    this.activeTab = tab;
    this.events.tabs.fire({ opened: [tab], closed: [], changed: [] });
    return tab;
  }

  private execute(command: string, words: unknown[]): unknown {
    this.executed.push([command, ...words]);
    if (command !== 'vscode.diff') return undefined;
    if (this.diffError) throw this.diffError;
    const [left, right, label] = words as [FakeUri, FakeUri, string];
    this.addTab({ label, input: new FakeTabInputTextDiff(left, right) });
    return undefined;
  }

  private makeApi() {
    const editor = this;
    return {
      Uri: FakeUri,
      Range: FakeRange,
      TabInputTextDiff: FakeTabInputTextDiff,
      env: { appName: 'Visual Studio Code' },
      window: {
        get activeTextEditor() {
          return editor.active;
        },
        onDidChangeActiveTextEditor: this.events.active.event,
        onDidChangeVisibleTextEditors: this.events.visible.event,
        onDidChangeTextEditorSelection: this.events.selection.event,
        createOutputChannel: () => ({
          appendLine: (line: string) => this.lines.push(line),
          dispose: () => {},
        }),
        showInformationMessage: async (message: string) => void this.messages.push(message),
        showWorkspaceFolderPick: async () => this.pickFolder(this.folders),
        createTerminal: ({ name, cwd }: { name: string; cwd: string }) => {
          const terminal = { name, cwd, sent: [] as string[] };
          this.terminals.push(terminal);
          return { show: () => {}, sendText: (text: string) => terminal.sent.push(text) };
        },
        tabGroups: {
          get all() {
            return [{ tabs: editor.tabs }];
          },
          get activeTabGroup() {
            return { activeTab: editor.activeTab };
          },
          onDidChangeTabs: this.events.tabs.event,
          onDidChangeTabGroups: this.events.groups.event,
          close: async (tabs: FakeTab[]) => {
            for (const tab of tabs) this.closeTab(tab);
          },
        },
      },
      workspace: {
        get workspaceFolders() {
          return editor.folders.length > 0 ? editor.folders : undefined;
        },
        get isTrusted() {
          return editor.isTrusted;
        },
        get textDocuments() {
          return editor.documents;
        },
        getConfiguration: () => ({ get: (key: string) => this.settings[key] }),
        registerTextDocumentContentProvider: (
          scheme: string,
          provider: { provideTextDocumentContent(uri: FakeUri): string },
        ) => {
          this.providers.set(scheme, provider);
          return { dispose: () => this.providers.delete(scheme) };
        },
        openTextDocument: async (uri: FakeUri) => this.openDocument(uri),
        onDidCloseTextDocument: this.events.closedDocument.event,
        onDidRenameFiles: this.events.renamed.event,
        onDidDeleteFiles: this.events.deleted.event,
        onDidChangeWorkspaceFolders: this.events.folders.event,
        onDidGrantWorkspaceTrust: this.events.trust.event,
      },
      extensions: {
        getExtension: (id: string) => (this.extensions.includes(id) ? { id } : undefined),
      },
      commands: {
        registerCommand: (name: string, action: (...words: unknown[]) => unknown) => {
          this.commands.set(name, action);
          return { dispose: () => this.commands.delete(name) };
        },
        executeCommand: async (name: string, ...words: unknown[]) => this.execute(name, words),
      },
    };
  }
}

function selectionBetween(start: Position, end = start): Shown['selection'] {
  const isEmpty = start.line === end.line && start.character === end.character;
  return { start, end, active: end, isEmpty };
}
