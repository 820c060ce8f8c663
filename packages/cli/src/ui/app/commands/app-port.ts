/** What commands may ask of the running interface. */
import { ApprovalMode } from '@gemini-cli/core';
import type { AppPort } from '../../../commands/types.js';
import { keysOf } from '../../keys/bindings.js';
import { COMMANDS, type CommandId } from '../../keys/commands.js';
import type { App } from '../app.js';
import { openInBrowser, type ServicePorts } from '../dialogs/dialog-services.js';
import type { Interactive } from '../interactive.js';
import { setApprovalMode } from '../keys/app-actions.js';

export function appPort(app: App, ui: Interactive, ports: ServicePorts): AppPort {
  const flip = (what: 'showShortcuts' | 'showTasks') =>
    app.store.dispatch({ type: 'switched', what, to: !app.store.getState()[what] });
  return {
    commands: () => ui.commands.getCommands(),
    history: () => app.store.getState().history,
    lastModelText: () => lastModelText(app),
    cwd: app.engine.folder.cwd,
    copyToClipboard: ports.copyToClipboard,
    openUrl: (url) => openInBrowser(url, app.env),
    openEditor: ports.openEditor,
    setInput: ports.setInput,
    keyHelp,
    toggleShortcuts: () => flip('showShortcuts'),
    toggleTasks: () => flip('showTasks'),
    newSession: () => ui.newSession(),
    resumeSession: ports.resumeSession,
    changeSetting: (scope, key, value) => app.engine.folder.settings.setValue(scope, key, value),
    setApprovalMode: (mode) => setApprovalMode(app, toMode(mode)),
    signOut: () => ui.signOut(),
    debugRequest: () => undefined,
  };
}

function toMode(name: string): ApprovalMode {
  return Object.values(ApprovalMode).find((mode) => mode === name) ?? ApprovalMode.DEFAULT;
}

/** Parts of one long answer stand in several items. */
function lastModelText({ store }: App): string | undefined {
  const { history } = store.getState();
  const parts: string[] = [];
  for (const item of [...history].reverse()) {
    if (item.type === 'gemini') {
      parts.unshift(item.text);
      if (!item.isContinued) break;
    } else if (parts.length > 0) break;
  }
  return parts.length === 0 ? undefined : parts.join('\n\n');
}

function keyHelp(): { keys: string; action: string }[] {
  return (Object.keys(COMMANDS) as CommandId[]).flatMap((id) => {
    const keys = keysOf(id);
    return keys.length === 0 ? [] : [{ keys: keys.join(', '), action: COMMANDS[id].description }];
  });
}
