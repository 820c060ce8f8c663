/** The component of each dialog, loaded when it is first opened. */
import type { ComponentType } from 'react';
import type { DialogName } from '../../commands/dialog-name.js';
import type { DialogProps } from './dialog.js';

/** Only the code that opens a dialog knows its props, so this type accepts none. */
export type AnyDialog = ComponentType<DialogProps<never, never>>;

const situation = async () => (await import('./situation/SituationDialog.js')).SituationDialog;

const LOADERS: Readonly<Record<DialogName, () => Promise<AnyDialog>>> = {
  help: async () => (await import('./help/HelpDialog.js')).HelpDialog,
  auth: async () => (await import('./auth/AuthDialog.js')).AuthDialog,
  theme: async () => (await import('./theme/ThemeDialog.js')).ThemeDialog,
  editor: async () => (await import('./small/EditorDialog.js')).EditorDialog,
  privacy: async () => (await import('./small/PrivacyDialog.js')).PrivacyDialog,
  settings: async () => (await import('./settings/SettingsDialog.js')).SettingsDialog,
  sessionBrowser: async () => (await import('./sessions/SessionBrowserDialog.js')).SessionBrowserDialog,
  model: async () => (await import('./model/ModelDialog.js')).ModelDialog,
  agentConfig: async () => (await import('./small/AgentConfigDialog.js')).AgentConfigDialog,
  permissions: async () => (await import('./small/PermissionsDialog.js')).PermissionsDialog,
  trust: async () => (await import('./trust/FolderTrustDialog.js')).FolderTrustDialog,
  rewind: async () => (await import('./rewind/RewindViewer.js')).RewindViewer,
  undo: async () => (await import('./undo/UndoDialog.js')).UndoDialog,
  inbox: async () => (await import('./inbox/InboxDialog.js')).InboxDialog,
  footer: async () => (await import('./footer/FooterDialog.js')).FooterDialog,
  hooks: async () => (await import('./hooks/HooksDialog.js')).HooksDialog,
  mcp: async () => (await import('./mcp/McpDialog.js')).McpDialog,
  extensionGallery: async () => (await import('./extensions/GalleryDialog.js')).GalleryDialog,
  value: async () => (await import('./small/ValueDialog.js')).ValueDialog,
  elicitation: async () => (await import('./elicitation/ElicitationDialog.js')).ElicitationDialog,
  ideNudge: async () => (await import('./ide/IdeNudge.js')).IdeNudge,
  fallback: situation,
  loop: situation,
  policies: situation,
  confirmAction: async () => (await import('./confirm-command/ConfirmAction.js')).ConfirmActionDialog,
  confirmShell: async () => (await import('./confirm-command/ConfirmShell.js')).ConfirmShellDialog,
  custom: async () => (await import('./custom/CustomDialog.js')).CustomDialog,
};

const loaded = new Map<DialogName, AnyDialog>();

/** Undefined before `loadDialog`. */
export function loadedDialog(name: DialogName): AnyDialog | undefined {
  return loaded.get(name);
}

export async function loadDialog(name: DialogName): Promise<AnyDialog> {
  const dialog = await LOADERS[name]();
  loaded.set(name, dialog);
  return dialog;
}
