/** `~/.gemini/google_accounts.json`: who is signed in, and who was. */
import { join } from 'node:path';
import { createLog } from '../../platform/log.js';
import { readPrivateFile, setAside, writePrivateFile } from '../../platform/private-file.js';
import { Storage } from '../../platform/storage.js';

export interface GoogleAccounts {
  active: string | null;
  old: string[];
}

const log = createLog('auth');

export function readAccounts(): GoogleAccounts {
  return parse() ?? { active: null, old: [] };
}

/** Null: signed out. */
export function setActiveAccount(email: string | null): void {
  const known = parse();
  if (!known) setAside(accountsPath());
  const { active, old } = known ?? { active: null, old: [] };
  if (active === email && known) return;
  const former = [...old, ...(active === null ? [] : [active])].filter((name) => name !== email);
  const accounts: GoogleAccounts = { active: email, old: [...new Set(former)] };
  writePrivateFile(accountsPath(), `${JSON.stringify(accounts, null, 2)}\n`);
}

/** Undefined when the file makes no sense. */
function parse(): GoogleAccounts | undefined {
  try {
    const text = readPrivateFile(accountsPath());
    if (text === undefined || text.trim() === '') return { active: null, old: [] };
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const active = 'active' in value && typeof value.active === 'string' ? value.active : null;
    const old = 'old' in value && Array.isArray(value.old) ? value.old : [];
    return { active, old: old.filter((item): item is string => typeof item === 'string') };
  } catch (error) {
    log.warn('google_accounts.json cannot be read', error);
    return undefined;
  }
}

function accountsPath(): string {
  return join(Storage.getGlobalGeminiDir(), 'google_accounts.json');
}
