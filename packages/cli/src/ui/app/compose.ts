/** Makes the parts of the interactive app in the order of their dependencies and joins them: a table of contents. */
import { Late, openInBrowser } from '@gemini-cli/core';
import type { CommandLine } from '../../command-line/parse.js';
import type { RunFolder } from '../../engine/run-folder.js';
import { type FirstPaint, writeToTerminal } from '../../terminal/first-paint.js';
import { InputRouter } from '../keys/router.js';
import { Notifier } from '../notify/notifier.js';
import { makeCommands } from './commands/make-commands.js';
import { SignIn } from './commands/sign-in.js';
import { Submitter } from './commands/submit.js';
import { AppContext } from './context/app-context.js';
import { ChatSession } from './conversation/chat-session.js';
import { EngineHost } from './conversation/engine-host.js';
import { TypedHistory } from './conversation/typed-history.js';
import { showDialogResults } from './dialogs/dialog-results.js';
import { DialogView } from './dialogs/dialog-view.js';
import { Dialogs } from './dialogs/dialogs.js';
import { Exit } from './exit.js';
import { PromptInput } from './input/prompt-input.js';
import { appActions } from './keys/app-actions.js';
import { InputGate } from './keys/input-gate.js';
import { keyOrder } from './keys/key-order.js';
import { KeyReceiver } from './keys/key-receiver.js';
import { loadUserKeys } from './keys/user-keys.js';
import { makeAppearance } from './screen/appearance.js';
import { LastResponse } from './screen/last-response.js';
import { Screen } from './screen/screen.js';
import { TasksPane } from './screen/tasks-pane.js';
import { IdleWork } from './start/idle-work.js';
import { Startup } from './start/startup.js';
import { Clipboard } from './terminal/clipboard.js';
import { TerminalControl } from './terminal/terminal-control.js';
import { UserEditor } from './terminal/user-editor.js';

export interface AppOptions {
  line: CommandLine;
  folder: RunFolder;
  firstPaint: FirstPaint;
  now: () => number;
}

export type AppParts = ReturnType<typeof composeApp>;

export function composeApp(options: AppOptions) {
  const base = composeBase(options);
  const input = composeInput(base);
  const conversation = composeConversation({ ...base, ...input });
  const screen = composeScreen({ ...base, ...input, ...conversation });
  const keys = composeKeys({ ...base, ...input, ...conversation, ...screen });
  const parts = { ...base, ...input, ...conversation, ...screen, ...keys };
  return { ...parts, startup: new Startup(parts) };
}

/** What owns the terminal, and what everything else refers to. */
function composeBase({ line, folder, firstPaint, now }: AppOptions) {
  const context = new AppContext(line, folder, now);
  loadUserKeys(context.env, context.notice);
  const appearance = makeAppearance(context);
  const terminal = new TerminalControl(context, firstPaint, appearance);
  const editor = new UserEditor(context, terminal);
  const engine = new EngineHost(context);
  const clipboard = new Clipboard(context, engine);
  const typed = new TypedHistory(engine, now);
  const dialogs = new Dialogs(context.store);
  return { context, appearance, terminal, editor, engine, clipboard, typed, dialogs };
}

type Base = ReturnType<typeof composeBase>;

function composeInput(base: Base) {
  const { store, now, noteProblem } = base.context;
  const router = new InputRouter();
  // Commands write into the input, and the input submits commands.
  const lateSubmitter = new Late<Submitter>('The submitter');
  const input = new PromptInput({ ...base, submitter: lateSubmitter });
  // The gate subscribes to the store before `DialogView`: it must know of a question before its first frame.
  const lateDialogView = new Late<DialogView>('The dialog view');
  const gate = new InputGate({
    store,
    router,
    now,
    composer: input.composer,
    onFailure: noteProblem,
    flush: () => lateDialogView.value.live.current()?.flush(),
  });
  return { router, lateSubmitter, lateDialogView, input, gate };
}

type WithInput = Base & ReturnType<typeof composeInput>;

/** What owns the conversation, and what opens dialogs and runs commands in it. */
function composeConversation(parts: WithInput) {
  const { context, engine, dialogs, input, clipboard, editor, appearance, gate } = parts;
  const chat = new ChatSession(context, engine, dialogs, input.returnText, {
    openUrl: (url) => openInBrowser(url, context.env),
    changeAuth: () => dialogs.open('auth', {}),
    quit: () => void exit.quit(),
  });
  const { conversation } = chat;
  const exit = new Exit(context, engine, chat, dialogs);
  const services = {
    setInput: (text: string) => input.composer.setText(text),
    previewTheme: (name: string | undefined) => appearance.themes.preview(name),
    copyToClipboard: (text: string) => clipboard.copy(text),
    openEditor: (path: string) => editor.openFile(path),
    resumeSession: (identifier: string) => chat.resume(identifier),
    quit: () => void exit.quit(),
    applySettings: () => {
      void appearance.themes.load();
      input.setVim(context.settings.general?.vimMode ?? false);
    },
  };
  const dialogView = new DialogView({
    ...parts,
    conversation,
    look: appearance.look,
    ports: services,
    onReady: () => gate.dialogReady(),
    onBusy: (work) => gate.dialogBusy(work),
  });
  parts.lateDialogView.set(dialogView);
  showDialogResults(dialogs, context, engine);
  const signIn = new SignIn(context, engine, conversation, dialogs, input.returnText, services.quit);
  const commands = makeCommands({ ...parts, chat, signIn, services, exit });
  const onCommand = (running: Promise<void>) => gate.commandStarted(running);
  const submitter = new Submitter({ ...parts, chat, commands, signIn, onCommand });
  parts.lateSubmitter.set(submitter);
  return { chat, exit, dialogView, submitter };
}

type WithConversation = WithInput & ReturnType<typeof composeConversation>;

function composeScreen({ context, appearance, terminal, engine, input, dialogView, gate }: WithConversation) {
  const { store, toasts, now } = context;
  const { look, fullScreen, isPlain } = appearance;
  const { writer } = terminal;
  const settings = () => context.settings;
  const tasks = new TasksPane(
    { shells: () => engine.shells, agents: () => engine.config?.getAgentCaller() },
    () => store.dispatch({ type: 'switched', what: 'showTasks', to: false }),
  );
  const screen = new Screen({
    store,
    writer,
    look,
    settings,
    now,
    input: (current, maxRows) => input.area(current, maxRows),
    tasks: (current, height) => tasks.lines(current, height),
    surface: () => dialogView.live.current(),
    fullScreen,
    isPlain,
    telemetry: () => engine.telemetry,
  });
  const print = fullScreen ? undefined : (lines: readonly string[]) => writer.settle(lines);
  const lastResponse = new LastResponse({ store, toasts, look, print });
  const notifier = new Notifier({ settings, write: writeToTerminal, env: context.env, now });
  input.subscribe(() => screen.schedule());
  input.composer.subscribe(() => {
    if (input.composer.getState().buffer.lines[0]?.startsWith('/')) dialogView.live.preload();
  });
  dialogView.onFrame(() => {
    screen.schedule();
    if (dialogView.live.current()?.lines().length) gate.shown();
  });
  store.subscribe(() => {
    notifier.update(store.getState());
    lastResponse.update();
  });
  return { tasks, screen, lastResponse, notifier };
}

function composeKeys(parts: WithConversation & ReturnType<typeof composeScreen>) {
  const { context, chat, router } = parts;
  const { now, noteProblem } = context;
  router.setOrder(keyOrder({ ...parts, actions: appActions(parts) }));
  const idle = new IdleWork({ isBusy: () => chat.conversation.isBusy, now, onFailure: noteProblem });
  const receiver = new KeyReceiver({ ...parts, idle });
  return { idle, receiver };
}
