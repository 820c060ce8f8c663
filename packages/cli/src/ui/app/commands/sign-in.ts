/** Asking the user to sign in, and signing out. */
import { loadFrontEnd } from '@gemini-cli/core';
import type { AppContext } from '../context/app-context.js';
import type { Conversation } from '../conversation/conversation.js';
import type { EngineHost } from '../conversation/engine-host.js';
import type { Dialogs } from '../dialogs/dialogs.js';

export class SignIn {
  constructor(
    private readonly context: AppContext,
    private readonly engine: EngineHost,
    private readonly conversation: Conversation,
    private readonly dialogs: Dialogs,
    private readonly returnToInput: (text: string) => void,
    private readonly quit: () => void,
  ) {}

  /** @param text sent once there is a model, else returned to the input */
  ask(text: string, problem?: string, { isUnbidden = false } = {}): void {
    const { engine, conversation } = this;
    const proceed = () => {
      if (!engine.config) this.returnToInput(text);
      else if (text !== '') void conversation.submit(text);
    };
    this.dialogs.open('auth', problem === undefined ? {} : { problem }, proceed, { isUnbidden });
  }

  async signOut(): Promise<void> {
    const { context, engine } = this;
    const { signOut, deleteProviderKeys } = await loadFrontEnd();
    const { env } = context;
    await signOut({ env, proxy: context.folder.environment.proxy });
    await deleteProviderKeys({ env, providers: context.settings.model?.providers });
    await engine.stop('logout');
    context.add({ type: 'info', text: 'Signed out: saved credentials are removed from this machine.' });
    this.dialogs.open('fallback', { situation: { kind: 'logged_out' } }, (answer) => {
      if (answer === 'sign_in') this.ask('');
      else if (answer === 'exit') this.quit();
    });
  }
}
