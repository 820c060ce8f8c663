/** What slash commands may ask of the running app. */
import { ApprovalMode, openInBrowser } from '@gemini-cli/core';
import type { AppPort } from '../../../commands/types.js';
import { shortcuts } from '../../layout/shortcuts.js';
import type { Store } from '../../store/store.js';
import type { AppContext } from '../context/app-context.js';
import type { ChatSession } from '../conversation/chat-session.js';
import type { EngineHost } from '../conversation/engine-host.js';
import { setApprovalMode } from '../conversation/mode-switch.js';
import { changeModel, type ServicePorts } from '../dialogs/dialog-services.js';
import type { SignIn } from './sign-in.js';

export interface AppPortParts {
  context: AppContext;
  engine: EngineHost;
  chat: ChatSession;
  signIn: SignIn;
  services: ServicePorts;
}

export function appPort({
  context,
  engine,
  chat,
  signIn,
  services,
}: AppPortParts): Omit<AppPort, 'commands'> {
  const { store, folder } = context;
  return {
    history: () => store.getState().history,
    lastModelText: () => lastModelText(store),
    cwd: folder.cwd,
    copyToClipboard: services.copyToClipboard,
    openUrl: (url) => openInBrowser(url, context.env),
    openEditor: services.openEditor,
    setInput: services.setInput,
    // A list of all keys would bury those that one needs.
    keyHelp: () => shortcuts().map(([keys, action]) => ({ keys, action })),
    toggleShortcuts: () => store.dispatch({ type: 'toggled', what: 'showShortcuts' }),
    toggleTasks: () => store.dispatch({ type: 'toggled', what: 'showTasks' }),
    newSession: () => chat.startNew(),
    resumeSession: services.resumeSession,
    changeSetting: (scope, key, value) => context.folder.settings.setValue(scope, key, value),
    changeModel: (model) => changeModel(context, engine, model),
    setApprovalMode: (mode) => setApprovalMode(toMode(mode), context, engine),
    chosenExtensions: () => engine.extensions,
    reloadExtensions: async (chosen) => {
      engine.extensions = chosen;
      folder.forgetExtensions(chosen);
      await engine.start();
    },
    signOut: () => signIn.signOut(),
  };
}

function toMode(name: string): ApprovalMode {
  return Object.values(ApprovalMode).find((mode) => mode === name) ?? ApprovalMode.DEFAULT;
}

/** A long answer is several items. */
function lastModelText(store: Store): string | undefined {
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
