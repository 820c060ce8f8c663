/** What the built-in agents need of the session. */
import type { BrowserAgentHost } from '../browser/host.js';

export interface BuiltinAgentHost {
  /** The model of the conversation now. */
  mainModel(): string;
  /** The model to use for a built-in choice: of another provider, where the conversation is with one. */
  modelFor(name: string): string;
  /** The main system prompt as it is where no user can be asked, without memory. */
  mainPrompt(): string;
  browser: BrowserAgentHost;
}
