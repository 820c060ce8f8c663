/** `/clear`: a new conversation on an empty screen. */
import { randomUuid } from '@gemini-cli/core';
import type { CommandUi } from '../types.js';
import type { Action } from './define.js';

export const clear: Action = async ({ services, ui }) => {
  ui.setDebugMessage('Starting a new conversation.');
  // A front end by the seed documents has no app: then the engine goes on under a new id.
  const { app }: Partial<Pick<CommandUi, 'app'>> = ui;
  if (app) await app.newSession();
  else await services.config?.startNewSession(randomUuid());
  ui.clear();
  return undefined;
};
