/** The order in which input is offered, from top to bottom; the first part that takes an event ends the list. */
import type { ComposerStore } from '../../composer/composer-store.js';
import type { InputHandler } from '../../keys/key.js';
import type { InputRouter } from '../../keys/router.js';
import type { Notifier } from '../../notify/notifier.js';
import type { AppContext } from '../context/app-context.js';
import type { TasksPane } from '../screen/tasks-pane.js';
import type { ThemeChoice } from '../screen/theme-choice.js';
import type { Clipboard } from '../terminal/clipboard.js';
import { type AppActions, appKeys, urgentKeys } from './app-keys.js';
import { minimalSwitch } from './minimal.js';

export interface KeyOrderParts {
  context: Pick<AppContext, 'store' | 'toasts' | 'now'>;
  router: InputRouter;
  actions: AppActions;
  appearance: { themes: Pick<ThemeChoice, 'handleAnswer'> };
  clipboard: Pick<Clipboard, 'textOfAnswer'>;
  tasks: Pick<TasksPane, 'handle'>;
  input: { composer: Pick<ComposerStore, 'handle' | 'paste'> };
  notifier: Pick<Notifier, 'watch'>;
}

export function keyOrder(parts: KeyOrderParts): readonly InputHandler[] {
  const { context, router, actions, tasks, notifier } = parts;
  const { composer } = parts.input;
  const { store, toasts, now } = context;
  const isAtInput = () => !store.getState().dialog && !store.getState().confirmation;
  const tasksShown = () => isAtInput() && store.getState().showTasks;
  return [
    terminalAnswers(parts),
    // The open dialog or question: its components have registered with the router.
    router.components,
    urgentKeys(store, actions),
    (event) => tasksShown() && event.kind === 'key' && tasks.handle(event),
    (event) => isAtInput() && composer.handle(event),
    appKeys(store, toasts, actions),
    notifier.watch,
    minimalSwitch(store, now),
  ];
}

/** Answers to our questions to the terminal: its background colour, its clipboard. No other part gets them. */
function terminalAnswers({ appearance: { themes }, clipboard, input }: KeyOrderParts): InputHandler {
  return (event) => {
    if (event.kind !== 'answer') return false;
    if (themes.handleAnswer(event.sequence)) return true;
    const pasted = clipboard.textOfAnswer(event.sequence);
    if (pasted !== undefined) input.composer.paste(pasted);
    return true;
  };
}
