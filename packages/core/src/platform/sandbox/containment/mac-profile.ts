/** Builds the Seatbelt profile of a contained command. The last matching rule decides. Pure. */
import { join } from 'node:path';
import { escapeRegex } from '../../../base/escape-regex.js';
import { PROTECTED_NAMES } from '../../files/protected-names.js';
import {
  denyWritesExcept,
  NO_NETWORK,
  NO_OTHER_PROGRAMS,
  profileText,
  regex,
  rule,
  subpath,
} from '../macos/macos-profile.js';
import { HOME_SECRETS, MAC_HOME_SECRETS } from '../paths/secret-files.js';
import type { ContainRequest } from './types.js';

export interface ContainedProfileSources {
  home: string;
  /** Our own directories. */
  own: readonly string[];
}

type Wanted = Pick<ContainRequest, 'kind' | 'workspace' | 'visiblePaths' | 'hiddenPaths'>;

export function containedProfile(
  { kind, workspace, visiblePaths, hiddenPaths }: Wanted,
  { home, own }: ContainedProfileSources,
): string {
  const secrets = [...HOME_SECRETS, ...MAC_HOME_SECRETS].map((name) => join(home, name));
  return profileText([
    ...denyWritesExcept(kind === 'workspace' ? workspace : []),
    rule('deny file-write*', kind === 'workspace' ? workspace.map(protectedIn) : []),
    rule('deny file-read* file-write*', [
      ...[...secrets, ...own].map(subpath),
      ...workspace.map((path) => regex(`^${escapeRegex(path)}/(.+/)?\\.env(rc|\\..+)?$`)),
    ]),
    rule('allow file-read*', visiblePaths.map(subpath)),
    rule('deny file-read* file-write*', hiddenPaths.map(subpath)),
    ...NO_NETWORK,
    ...NO_OTHER_PROGRAMS,
  ]);
}

/** The protected names at any depth and all below them, existing or not. Seatbelt is case-sensitive. */
function protectedIn(workspace: string): string {
  const names = PROTECTED_NAMES.map(({ name, pattern }) => {
    const whole = anyCase(pattern.source.replace(/^\^|\$$/g, ''));
    return name.endsWith('*') ? `${whole}[^/]*` : whole;
  });
  return regex(`^${escapeRegex(workspace)}/(.+/)?(${names.join('|')})(/|$)`);
}

/** On a Mac's disk `.GIT` and `.git` are the same file. */
function anyCase(pattern: string): string {
  return pattern.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
