/** `/clear`: a new conversation on an empty screen. */
import { type Config, randomUuid } from '@gemini-cli/core';
import type { CommandUi } from '../types.js';
import type { Action } from './define.js';

export const clear: Action = async ({ services, ui }) => {
  ui.setDebugMessage('Starting a new conversation.');
  // A front end by the seed documents has no app: then the engine goes on under a new id.
  const { app }: Partial<Pick<CommandUi, 'app'>> = ui;
  if (app) await app.newSession();
  else if (services.config) await startOver(services.config);
  ui.clear();
  return undefined;
};

/** What the seed documents' commands know of a Config; ours can do it in one step, which tells hooks, too. */
type Conversation = Pick<Config, 'getGeminiClient' | 'setSessionId'> &
  Partial<Pick<Config, 'startNewSession'>>;

async function startOver(config: Conversation): Promise<void> {
  const sessionId = randomUuid();
  if (config.startNewSession) return config.startNewSession(sessionId);
  await config.getGeminiClient().resetChat();
  config.setSessionId(sessionId);
}
