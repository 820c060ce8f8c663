/** What the app's keys do. */
import { setting } from '@gemini-cli/core';
import type { AppContext } from '../context/app-context.js';
import type { ChatSession } from '../conversation/chat-session.js';
import type { EngineHost } from '../conversation/engine-host.js';
import { setApprovalMode } from '../conversation/mode-switch.js';
import type { Exit } from '../exit.js';
import type { PromptInput } from '../input/prompt-input.js';
import type { LastResponse } from '../screen/last-response.js';
import type { Screen } from '../screen/screen.js';
import type { TerminalControl } from '../terminal/terminal-control.js';
import type { AppActions } from './app-keys.js';

export interface ActionParts {
  context: AppContext;
  engine: EngineHost;
  chat: ChatSession;
  terminal: TerminalControl;
  screen: Screen;
  lastResponse: LastResponse;
  input: PromptInput;
  exit: Exit;
}

export function appActions(parts: ActionParts): AppActions {
  const { context, engine, chat, terminal, screen, input, exit } = parts;
  return {
    cancel: () => chat.conversation.cancel(),
    takeQueueBack: () => {
      const text = chat.conversation.takeQueue();
      if (text !== undefined) input.returnText(text);
      return text !== undefined;
    },
    setApprovalMode: (mode) => setApprovalMode(mode, context, engine),
    isPlanEnabled: () => setting(context.settings, 'general.plan.enabled'),
    showMore: () => parts.lastResponse.toggle(),
    redraw: (options) => screen.refresh(options),
    suspend: () => terminal.suspend(),
    quit: () => void exit.quit(),
    scroll: (lines) => {
      const offset = Math.max(0, Math.min(screen.maxScroll, screen.scrollOffset + lines));
      context.store.dispatch({ type: 'scrolled', offset });
    },
    toggleMouse: () => {
      const isOurs = terminal.toggleMouse();
      context.toasts.show(isOurs ? 'Mouse: ours (Ctrl+S gives it back).' : 'Mouse: select and copy.');
    },
    isInputEmpty: () => input.composer.text() === '',
    focusShell: () => chat.shell.focus(),
    sendToShell: (bytes) => chat.shell.write(bytes),
    moveToBackground: () => void chat.shell.moveToBackground(),
    showErrors: () => context.showProblems(),
  };
}
