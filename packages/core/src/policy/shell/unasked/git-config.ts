/** Reads git configuration and tells which settings make git start programs even when it only shows something. */
import { readFileSync, statSync } from 'node:fs';

const MAX_BYTES = 256 * 1024;

export interface GitSetting {
  /** `section.subsection.key`, section and key in lower case. */
  name: string;
  value: string;
}

/** Empty for a missing file. Undefined: the file cannot be parsed with certainty. */
export function readGitConfig(file: string): GitSetting[] | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats) return [];
    if (!stats.isFile() || stats.size > MAX_BYTES) return undefined;
    return settingsIn(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** True for settings that name programs or config files, or make git fetch or look into other repositories. */
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

/** A key without a value is true. */
function isYes(value: string): boolean {
  return /^(?:true|yes|on|1|)$/i.test(value);
}

const SECTION = /^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/;
const KEY = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*)|[;#].*)?$/;

function settingsIn(text: string): GitSetting[] | undefined {
  const settings: GitSetting[] = [];
  let section: string | undefined;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    // The second line of a continued value might look like a section.
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

/** Other quotes and backslashes stay; callers must treat them as unknown. */
function plainValue(value: string): string {
  const quoted = /^"([^"\\]*)"\s*(?:[;#].*)?$/.exec(value)?.[1];
  return quoted ?? value.replace(/\s*[;#].*$/, '').trim();
}
