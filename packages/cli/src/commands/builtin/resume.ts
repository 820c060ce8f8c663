/** `/resume [id or number]`: opens the session browser, or resumes one session. */
import type { Action } from './define.js';

export const resume: Action = async ({ ui }, args) => {
  if (args === '') return { type: 'dialog', dialog: 'sessionBrowser' };
  await ui.app.resumeSession(args);
  return undefined;
};
