/** `/upgrade`: opens a page in the browser. */
import { PLANS_PAGE } from '../account-pages.js';
import type { CommandContext } from '../types.js';
import { type Action, failure, info } from './define.js';

export const upgrade: Action = async (context) => {
  const auth = context.session.stats.auth ?? context.services.config?.getAuthType();
  if (auth !== 'oauth-personal') return failure('/upgrade needs a Google sign-in (/auth).');
  return open(PLANS_PAGE, context);
};

async function open(url: string, { ui }: CommandContext) {
  const isOpen = await ui.app.openUrl(url);
  return info(isOpen ? `Opened in your browser: ${url}` : `Open this address: ${url}`);
}
