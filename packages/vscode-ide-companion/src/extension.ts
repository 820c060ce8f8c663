/** The entry that the editor loads. */
import * as vscode from 'vscode';
import { type Companion, startCompanion } from './companion.js';

let companion: Companion | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  companion = await startCompanion(vscode, context);
}

export async function deactivate(): Promise<void> {
  await companion?.stop();
}
