/** The right sides of diffs: documents without a file, which the user may edit. */
import type * as vscode from 'vscode';

export const DIFF_SCHEME = 'gemini-diff';

/** The empty left side of a new file. */
const EMPTY = 'empty';

export class DiffDocuments implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private next = 1;

  constructor(private readonly Uri: typeof vscode.Uri) {}

  /** Each gets an address of its own: the editor may still hold the text of an earlier one for the same file. */
  add(filePath: string, text: string): vscode.Uri {
    const key = `${Date.now().toString(36)}-${this.next++}`;
    this.texts.set(key, text);
    return this.address(filePath, key);
  }

  empty(filePath: string): vscode.Uri {
    return this.address(filePath, EMPTY);
  }

  set(uri: vscode.Uri, text: string): void {
    this.texts.set(uri.query, text);
  }

  remove(uri: vscode.Uri): void {
    this.texts.delete(uri.query);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.query) ?? '';
  }

  private address(filePath: string, query: string): vscode.Uri {
    return this.Uri.from({ scheme: DIFF_SCHEME, path: this.Uri.file(filePath).path, query });
  }
}
