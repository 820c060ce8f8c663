/** The open diffs: each belongs to the program that asked for it, and ends once: accepted, rejected or closed. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type * as vscode from 'vscode';
import { DIFF_SCHEME, DiffDocuments } from './diff-documents.js';

type Editor = Pick<typeof vscode, 'window' | 'workspace' | 'commands' | 'Uri' | 'TabInputTextDiff'>;

export interface DiffReports {
  accepted(owner: object, filePath: string, content: string): void;
  rejected(owner: object, filePath: string): void;
}

interface Diff {
  owner: object;
  filePath: string;
  uri: vscode.Uri;
  /** As the program sent it. */
  proposed: string;
  /** As the editor shows it before the user changes it: line ends and marks may differ. */
  shown: string;
}

const VISIBLE = 'gemini.diff.isVisible';
const MAKE_WRITABLE = 'workbench.action.files.setActiveEditorWriteableInSession';

export class DiffManager implements vscode.Disposable {
  private readonly diffs = new Set<Diff>();
  private readonly documents: DiffDocuments;
  private readonly subscriptions: vscode.Disposable[];
  private isVisible: boolean | undefined;

  constructor(
    private readonly editor: Editor,
    private readonly reports: DiffReports,
  ) {
    const { window, workspace, commands } = editor;
    this.documents = new DiffDocuments(editor.Uri);
    this.subscriptions = [
      workspace.registerTextDocumentContentProvider(DIFF_SCHEME, this.documents),
      // The editor may drop a document that is not visible, with what the user typed.
      workspace.onDidCloseTextDocument((document) => {
        const diff = this.byUri(document.uri);
        if (diff) this.documents.set(diff.uri, finalText(diff, document));
      }),
      window.tabGroups.onDidChangeTabs(({ closed }) => {
        this.rejectClosed(closed);
        this.tellVisible();
      }),
      window.tabGroups.onDidChangeTabGroups(() => this.tellVisible()),
      window.onDidChangeActiveTextEditor(() => this.makeWritable()),
      window.onDidChangeVisibleTextEditors(() => this.makeWritable()),
      commands.registerCommand('gemini.diff.accept', (uri?: vscode.Uri) => this.accept(uri)),
      commands.registerCommand('gemini.diff.cancel', (uri?: vscode.Uri) => this.reject(uri)),
    ];
    this.tellVisible();
  }

  async openDiff(owner: object, filePath: string, newContent: string): Promise<void> {
    const earlier = this.find(owner, filePath);
    if (earlier) await this.end(earlier);

    const { commands, workspace, Uri } = this.editor;
    const uri = this.documents.add(filePath, newContent);
    const diff: Diff = { owner, filePath, uri, proposed: newContent, shown: newContent };
    this.diffs.add(diff);
    try {
      // Before the user can type: what is typed must not count as proposed.
      diff.shown = (await workspace.openTextDocument(uri)).getText();
      const left = existsSync(filePath) ? Uri.file(filePath) : this.documents.empty(filePath);
      const title = `${basename(filePath)} ↔ Modified`;
      await commands.executeCommand('vscode.diff', left, uri, title, { preview: false, preserveFocus: true });
      this.makeWritable();
    } catch (error) {
      await this.end(diff);
      throw error;
    }
  }

  /** Nothing is reported: the program itself closes it, and gets the content as the answer. */
  async closeDiff(owner: object, filePath: string): Promise<string | undefined> {
    const diff = this.find(owner, filePath);
    if (!diff) return undefined;
    const content = this.contentOf(diff);
    await this.end(diff);
    return content;
  }

  /** No program waits any more for what it asked before it ended. */
  async closeAllOf(owner: object): Promise<void> {
    await Promise.all([...this.diffs].filter((diff) => diff.owner === owner).map((diff) => this.end(diff)));
  }

  /** A reloaded window brings tabs back whose programs have lost their connection. */
  async closeLeftovers(): Promise<void> {
    await this.closeTabs((uri) => !this.byUri(uri));
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private async accept(uri: vscode.Uri | undefined): Promise<void> {
    const diff = this.addressed(uri);
    if (!diff) return;
    const content = this.contentOf(diff);
    this.diffs.delete(diff);
    this.reports.accepted(diff.owner, diff.filePath, content);
    await this.end(diff);
  }

  private async reject(uri: vscode.Uri | undefined): Promise<void> {
    const diff = this.addressed(uri);
    if (!diff) return;
    this.diffs.delete(diff);
    this.reports.rejected(diff.owner, diff.filePath);
    await this.end(diff);
  }

  private rejectClosed(closed: readonly vscode.Tab[]): void {
    // A tab that is moved to another group is closed in one and opened in the other.
    const open = new Set(this.openTabs().map(({ uri }) => uri.toString()));
    for (const tab of closed) {
      const uri = this.diffUri(tab);
      const diff = uri && !open.has(uri.toString()) ? this.byUri(uri) : undefined;
      if (!diff) continue;
      this.diffs.delete(diff);
      this.documents.remove(diff.uri);
      this.reports.rejected(diff.owner, diff.filePath);
    }
  }

  private async end(diff: Diff): Promise<void> {
    this.diffs.delete(diff);
    await this.closeTabs((uri) => uri.toString() === diff.uri.toString());
    this.documents.remove(diff.uri);
  }

  private async closeTabs(wanted: (uri: vscode.Uri) => boolean): Promise<void> {
    const tabs = this.openTabs().filter(({ uri }) => wanted(uri));
    const preserveFocus = true;
    if (tabs.length > 0)
      await this.editor.window.tabGroups.close(
        tabs.map(({ tab }) => tab),
        preserveFocus,
      );
  }

  private openTabs(): { tab: vscode.Tab; uri: vscode.Uri }[] {
    const tabs = this.editor.window.tabGroups.all.flatMap((group) => group.tabs);
    return tabs.flatMap((tab) => {
      const uri = this.diffUri(tab);
      return uri ? [{ tab, uri }] : [];
    });
  }

  /** The address of our document, when the tab shows one. */
  private diffUri(tab: vscode.Tab | undefined): vscode.Uri | undefined {
    const input = tab?.input;
    if (!(input instanceof this.editor.TabInputTextDiff)) return undefined;
    return isDiffUri(input.modified) ? input.modified : undefined;
  }

  /** From the title bar comes the address; from the palette and keys the diff that is looked at. */
  private addressed(uri: vscode.Uri | undefined): Diff | undefined {
    return (uri && this.byUri(uri)) ?? this.byUri(this.activeUri());
  }

  private activeUri(): vscode.Uri | undefined {
    return this.diffUri(this.editor.window.tabGroups.activeTabGroup.activeTab);
  }

  private byUri(uri: vscode.Uri | undefined): Diff | undefined {
    return [...this.diffs].find((diff) => diff.uri.toString() === uri?.toString());
  }

  private find(owner: object, filePath: string): Diff | undefined {
    return [...this.diffs].find((diff) => diff.owner === owner && diff.filePath === filePath);
  }

  private contentOf(diff: Diff): string {
    const address = diff.uri.toString();
    const document = this.editor.workspace.textDocuments.find((one) => one.uri.toString() === address);
    return document ? finalText(diff, document) : this.documents.provideTextDocumentContent(diff.uri);
  }

  /** For the buttons and keys of the manifest. */
  private tellVisible(): void {
    const isVisible = this.activeUri() !== undefined;
    if (isVisible === this.isVisible) return;
    this.isVisible = isVisible;
    void this.editor.commands.executeCommand('setContext', VISIBLE, isVisible);
  }

  /**
   * The editor shows such a document as read-only each time it comes to the front. Its command acts on what is looked
   * at, and only when the document is in place; it changes the tab, so an event of the tab must not lead here.
   */
  private makeWritable(): void {
    if (this.byUri(this.activeUri())) void this.editor.commands.executeCommand(MAKE_WRITABLE);
  }
}

export function isDiffUri(uri: vscode.Uri): boolean {
  return uri.scheme === DIFF_SCHEME;
}

/** Untouched content comes back as it was sent, byte for byte: the editor unifies line ends and drops marks. */
function finalText(diff: Diff, document: vscode.TextDocument): string {
  const text = document.getText();
  if (text === diff.shown) return diff.proposed;
  const mark = '\uFEFF';
  return diff.proposed.startsWith(mark) && !text.startsWith(mark) ? mark + text : text;
}
