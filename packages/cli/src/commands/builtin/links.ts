/** `/docs` and `/upgrade`: pages to be opened in a browser. */
import { pathToFileURL } from 'node:url';
import { findDocsFolder } from '@gemini-cli/core';
import type { CommandContext } from '../types.js';
import { type Action, failure, info } from './define.js';

const PLANS = 'https://codeassist.google.com/upgrade';

/** The pages that came with this installation: they fit it, and need no network. */
export const docs: Action = async (context) => {
  const folder = findDocsFolder();
  if (!folder) return failure('This installation came without documentation.');
  return open(pathToFileURL(`${folder}/`).href, context);
};

export const upgrade: Action = async (context) => {
  const auth = context.session.stats.auth ?? context.services.config?.getAuthType();
  if (auth !== 'oauth-personal')
    return failure('/upgrade is for those who are signed in with Google: /auth.');
  return open(PLANS, context);
};

async function open(url: string, { ui }: CommandContext) {
  const isOpen = await ui.app.openUrl(url);
  return info(isOpen ? `Opened in your browser: ${url}` : `Open this address: ${url}`);
}
