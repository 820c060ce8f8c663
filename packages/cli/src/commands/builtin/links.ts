/** `/docs` and `/upgrade`: open a page in the browser. */
import { pathToFileURL } from 'node:url';
import { findDocsFolder } from '@gemini-cli/core';
import type { CommandContext } from '../types.js';
import { type Action, failure, info } from './define.js';

const PLANS = 'https://codeassist.google.com/upgrade';

/** Opens the pages of this installation: they match its version and need no network. */
export const docs: Action = async (context) => {
  const folder = findDocsFolder();
  if (!folder) return failure('This installation came without documentation.');
  return open(pathToFileURL(`${folder}/`).href, context);
};

export const upgrade: Action = async (context) => {
  const auth = context.session.stats.auth ?? context.services.config?.getAuthType();
  if (auth !== 'oauth-personal') return failure('/upgrade needs a Google sign-in (/auth).');
  return open(PLANS, context);
};

async function open(url: string, { ui }: CommandContext) {
  const isOpen = await ui.app.openUrl(url);
  return info(isOpen ? `Opened in your browser: ${url}` : `Open this address: ${url}`);
}
