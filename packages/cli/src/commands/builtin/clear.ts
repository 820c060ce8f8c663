/** `/clear`: starts a new conversation on an empty screen. */
import { type Config, randomUuid } from '@gemini-cli/core';
import type { CommandUi } from '../types.js';
import type { Action } from './define.js';

export const clear: Action = async ({ services, ui }) => {
  ui.setDebugMessage('Starting a new conversation.');
  // A context made by a test or another front end may have no app: then only the engine starts over.
  const { app }: Partial<Pick<CommandUi, 'app'>> = ui;
  if (app) await app.newSession();
  else if (services.config) await startOver(services.config);
  ui.clear();
  return undefined;
};

/** `startNewSession` also tells hooks; a Config made by another front end may lack it. */
type Conversation = Pick<Config, 'getGeminiClient' | 'setSessionId'> &
  Partial<Pick<Config, 'startNewSession'>>;

async function startOver(config: Conversation): Promise<void> {
  const sessionId = randomUuid();
  if (config.startNewSession) return config.startNewSession(sessionId);
  await config.getGeminiClient().resetChat();
  config.setSessionId(sessionId);
}
