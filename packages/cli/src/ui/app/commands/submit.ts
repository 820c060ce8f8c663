/** What happens to a line when Enter is pressed: a command, a shell command, or a message to the model. */
import { isCommandLine } from '../../../commands/parse-command.js';
import type { App } from '../app.js';
import type { TypedHistory } from '../conversation/typed-history.js';
import type { CommandRunner } from './command-runner.js';

export interface SubmitPorts {
  app: App;
  commands: CommandRunner;
  typed: TypedHistory;
  /** A command is on its way. */
  onCommand(running: Promise<void>): void;
  /** Into the input, before what was typed since. */
  giveBack(text: string): void;
}

export class Submitter {
  /** Entered before the engine was up. */
  private readonly early: string[] = [];
  private isStarted = false;

  constructor(private readonly ports: SubmitPorts) {}

  /** False: not taken, the text stays in the input. */
  submit(text: string, { isShellMode = false } = {}): boolean {
    const { app, commands, typed } = this.ports;
    const isCommand = !isShellMode && isCommandLine(text.trim());
    if (app.conversation.isBusy && (isShellMode || (isCommand && !commands.isSafeNow(text)))) {
      app.toasts.show('Commands cannot be queued; wait for the answer or cancel it.', 'warning');
      return false;
    }
    app.toasts.clear();
    if (!this.isStarted && !isCommand) {
      this.early.push(text);
      app.store.dispatch({ type: 'queued', text });
    } else if (isShellMode) {
      typed.shellCommands.add(text);
      void app.runShell(text);
    } else {
      typed.prompts.add(text);
      if (isCommand) this.ports.onCommand(commands.run(text.trim()));
      else if (app.engine.config) void app.conversation.submit(text);
      else this.askForSignIn(text);
    }
    return true;
  }

  /** The engine is up, or a sign-in is needed first: what was entered before goes its way now. */
  started(first: string, problem: { text?: string } | undefined): void {
    this.isStarted = true;
    const { app } = this.ports;
    app.store.dispatch({ type: 'queue_taken' });
    const text = [first, ...this.early].filter((line) => line.trim() !== '').join('\n\n');
    if (problem) this.askForSignIn(text, problem.text, { isUnbidden: true });
    else if (text !== '') this.submit(text);
  }

  /** The text is sent when there is a model, else it comes back into the input. */
  askForSignIn(text: string, problem?: string, { isUnbidden = false } = {}): void {
    const { app, giveBack } = this.ports;
    const props = problem === undefined ? {} : { problem };
    const goOn = () => {
      if (!app.engine.config) giveBack(text);
      else if (text !== '') void app.conversation.submit(text);
    };
    app.openDialog('auth', props, goOn, { isUnbidden });
  }

  /** Queued messages come back for editing. */
  takeQueue(): string | undefined {
    const { store } = this.ports.app;
    const { queue } = store.getState();
    if (queue.length === 0) return undefined;
    store.dispatch({ type: 'queue_taken' });
    return queue.join('\n\n');
  }
}
