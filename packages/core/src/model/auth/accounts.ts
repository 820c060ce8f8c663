/** `~/.gemini/google_accounts.json`: the signed-in account, and earlier ones. */
import { join } from 'node:path';
import type { Variables } from '../../platform/environment.js';
import { readPrivateFile, setAside, writePrivateFile } from '../../platform/files/private-file.js';
import { createLog } from '../../platform/log.js';
import { globalGeminiDir } from '../../platform/storage/storage.js';

export interface GoogleAccounts {
  active: string | null;
  old: string[];
}

const log = createLog('auth');

export function readAccounts(variables: Variables): GoogleAccounts {
  return parse(accountsPath(variables)) ?? { active: null, old: [] };
}

/** Null: signed out. */
export function setActiveAccount(variables: Variables, email: string | null): void {
  const path = accountsPath(variables);
  const known = parse(path);
  if (!known) setAside(path);
  const { active, old } = known ?? { active: null, old: [] };
  if (active === email && known) return;
  const former = [...old, ...(active === null ? [] : [active])].filter((name) => name !== email);
  const accounts: GoogleAccounts = { active: email, old: [...new Set(former)] };
  writePrivateFile(path, `${JSON.stringify(accounts, null, 2)}\n`);
}

/** Undefined when the file is invalid. */
function parse(path: string): GoogleAccounts | undefined {
  try {
    const text = readPrivateFile(path);
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

function accountsPath(variables: Variables): string {
  return join(globalGeminiDir(variables), 'google_accounts.json');
}
