/** Builds the Seatbelt profile of a process with declared rights. Everything is denied first; the last rule decides. Pure. */
import { join } from 'node:path';
import { isInside } from '../../files/real-path.js';
import { denyWritesExcept, NO_OTHER_PROGRAMS, profileText, rule, subpath } from '../macos/macos-profile.js';
import { HOME_SECRETS, MAC_HOME_SECRETS } from '../paths/secret-files.js';

export interface MacRights {
  home: string;
  /** Real paths. */
  extensionPath: string;
  /** Writable; made for this process alone. */
  temporary: string;
  read: readonly string[];
  write: readonly string[];
  /** Executables. */
  programs: readonly string[];
  /** Their libraries. */
  libraries: readonly string[];
  /** Port of our proxy on the loopback address. */
  proxyPort: number;
}

/** Libraries and shared data of the system; what is executable in them is named by `programs`. */
const SYSTEM = [
  ...[
    '/System/Library',
    '/System/Cryptexes',
    '/Library/Frameworks',
    '/Library/Apple',
    '/usr/lib',
    '/usr/share',
  ],
  ...[
    '/usr/local/lib',
    '/usr/local/share',
    '/opt/homebrew/lib',
    '/opt/homebrew/share',
    '/opt/homebrew/Cellar',
  ],
  ...['/opt/homebrew/opt', '/private/etc/ssl', '/private/var/db/timezone', '/private/var/db/dyld', '/dev'],
];

export function macRightsProfile(rights: MacRights): string {
  const { home, extensionPath, temporary, read, write, programs, libraries, proxyPort } = rights;
  const declared = [...read, ...write];
  const secrets = [...HOME_SECRETS, ...MAC_HOME_SECRETS]
    .map((name) => join(home, name))
    .filter((path) => !declared.includes(path));
  return profileText([
    ...denyWritesExcept([temporary, ...write]),
    '(deny file-read-data)',
    rule('allow file-read-data', [
      '(literal "/")',
      ...[...SYSTEM, ...libraries, ...programs, temporary, ...declared].map(subpath),
    ]),
    rule('deny file-read* file-write*', secrets.map(subpath)),
    rule(
      'allow file-read*',
      [extensionPath, ...declared.filter((path) => isSecretPart(path, secrets))].map(subpath),
    ),
    rule('deny file-write*', [subpath(extensionPath)]),
    rule('allow file-write*', write.filter((path) => isInside(path, extensionPath)).map(subpath)),
    '(deny process-exec*)',
    rule('allow process-exec*', [...programs, extensionPath].map(subpath)),
    '(deny network*)',
    '(deny system-socket)',
    '(allow system-socket (socket-domain AF_INET))',
    `(allow network-outbound (remote ip "localhost:${proxyPort}"))`,
    ...NO_OTHER_PROGRAMS,
  ]);
}

function isSecretPart(path: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => isInside(path, secret));
}
