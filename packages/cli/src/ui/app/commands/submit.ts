/** What Enter does with a line: runs a slash command, runs a shell command, or sends a message to the model. */
import { isCommandLine } from '../../../commands/parse-command.js';
import type { SubmitHow } from '../../composer/composer-options.js';
import type { AppContext } from '../context/app-context.js';
import type { ChatSession } from '../conversation/chat-session.js';
import type { EngineHost } from '../conversation/engine-host.js';
import type { TypedHistory } from '../conversation/typed-history.js';
import type { CommandRunner } from './command-runner.js';
import type { SignIn } from './sign-in.js';

export interface SubmitterParts {
  context: AppContext;
  engine: EngineHost;
  chat: ChatSession;
  commands: CommandRunner;
  signIn: SignIn;
  typed: TypedHistory;
  onCommand(running: Promise<void>): void;
}

export class Submitter {
  readonly commands: CommandRunner;
  /** Entered before the engine was up. */
  private readonly early: string[] = [];
  private isStarted = false;

  constructor(private readonly parts: SubmitterParts) {
    this.commands = parts.commands;
  }

  get isBusy(): boolean {
    return this.parts.chat.conversation.isBusy;
  }

  /** @returns false: not accepted, the text stays in the input */
  submit(text: string, { isShellMode = false, pasted }: Partial<SubmitHow> = {}): boolean {
    const { context, engine, chat, commands, signIn, typed } = this.parts;
    const isCommand = !isShellMode && isCommandLine(text.trim());
    if (this.isBusy && (isShellMode || (isCommand && !commands.isSafeNow(text)))) {
      context.toasts.show('Commands cannot be queued; wait, or cancel with Esc.', 'warning');
      return false;
    }
    // Meant for the command more often than for the model.
    if (!isCommand && chat.shell.isRunning) {
      context.toasts.show('A command is running: with an empty input, Tab types into it.', 'warning');
      return false;
    }
    if (isShellMode && !engine.config) {
      context.toasts.show('Shell commands need the engine: wait a moment, or sign in with /auth.', 'warning');
      return false;
    }
    context.toasts.clear();
    if (pasted) chat.conversation.pasted.remember(pasted);
    if (!this.isStarted && !isCommand) {
      this.early.push(text);
      context.store.dispatch({ type: 'queued', text });
    } else if (isShellMode) {
      typed.shellCommands.add(text);
      void chat.shell.run(text);
    } else {
      typed.prompts.add(text);
      if (isCommand) this.parts.onCommand(commands.run(text.trim()));
      else if (engine.config) void chat.conversation.submit(text);
      else signIn.ask(text);
    }
    return true;
  }

  /** The engine is up, or the user must sign in first: lines that were entered before are handled now. */
  started(first: string, problem: { text?: string } | undefined): void {
    this.isStarted = true;
    const { context, signIn } = this.parts;
    context.store.dispatch({ type: 'queue_taken' });
    const text = [first, ...this.early].filter((line) => line.trim() !== '').join('\n\n');
    if (problem) signIn.ask(text, problem.text, { isUnbidden: true });
    else if (text !== '') this.submit(text);
  }

  takeQueue(): string | undefined {
    return this.parts.chat.conversation.takeQueue();
  }
}
