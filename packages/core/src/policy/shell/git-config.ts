/** Whether settings of a repository make git start programs when it only shows something. */
import { readFileSync, statSync } from 'node:fs';

const MOST_BYTES = 256 * 1024;

export interface GitSetting {
  /** `section.subsection.key`, section and key in lower case. */
  name: string;
  value: string;
}

/** Undefined: it cannot be read with certainty. A file that is not there sets nothing. */
export function readGitConfig(file: string): GitSetting[] | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats) return [];
    if (!stats.isFile() || stats.size > MOST_BYTES) return undefined;
    return settingsIn(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Programs, files with more settings, and whatever may fetch or look into other repositories. */
export function startsPrograms({ name, value }: GitSetting): boolean {
  if (name === 'core.fsmonitor' || /^pager\./.test(name) || name === 'log.showsignature')
    return !isNo(value) && !(name !== 'log.showsignature' && isYes(value));
  if (name === 'diff.submodule') return value !== 'short';
  if (name === 'status.submodulesummary') return !isNo(value) && value !== '0';
  return STARTERS.some((pattern) => pattern.test(name));
}

const STARTERS: readonly RegExp[] = [
  /^include(?:if)?\./,
  /^(?:alias|filter|gpg|protocol|difftool|mergetool)\./,
  /^core\.(?:sshcommand|gitproxy|askpass|editor|pager|alternaterefscommand|attributesfile|worktree)$/,
  /^remote\.(?:.*\.)?(?:promisor|partialclonefilter)$/s,
  /^extensions\.partialclone$/,
  /(?:command|cmd|program|driver|external|textconv|process|clean|smudge|hook|helper|editor)$/,
];

function isNo(value: string): boolean {
  return /^(?:false|no|off|0)$/i.test(value);
}

/** A key without a value is a yes. */
function isYes(value: string): boolean {
  return /^(?:true|yes|on|1|)$/i.test(value);
}

const SECTION = /^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/;
const KEY = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*)|[;#].*)?$/;

function settingsIn(text: string): GitSetting[] | undefined {
  const settings: GitSetting[] = [];
  let section: string | undefined;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    // A value that goes on in the next line might look like a section there.
    if (/\\\s*$/.test(line) || line.includes('\0')) return undefined;
    let rest = line;
    for (let match = SECTION.exec(rest); match; match = SECTION.exec(rest)) {
      const [whole, name = '', sub] = match;
      section = sub === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${sub}`;
      rest = rest.slice(whole.length);
    }
    if (/^\s*(?:[;#].*)?$/.test(rest)) continue;
    const [, key, value = ''] = KEY.exec(rest) ?? [];
    if (section === undefined || key === undefined) return undefined;
    settings.push({ name: `${section}.${key.toLowerCase()}`, value: plainValue(value) });
  }
  return settings;
}

/** Quotes and backslashes that remain are for the reader to doubt. */
function plainValue(value: string): string {
  const quoted = /^"([^"\\]*)"\s*(?:[;#].*)?$/.exec(value)?.[1];
  return quoted ?? value.replace(/\s*[;#].*$/, '').trim();
}
