/** The built-in Seatbelt profiles for the whole program. Pure. */
import { PROXY_COMMAND_PORT } from './whole-process.js';

export const SEATBELT_PROFILES = [
  'permissive-open',
  'permissive-proxied',
  'restrictive-open',
  'restrictive-proxied',
  'strict-open',
  'strict-proxied',
] as const;
export type SeatbeltProfile = (typeof SEATBELT_PROFILES)[number];

export const INCLUDE_DIRECTORIES = 5;

export function seatbeltProfile(name: SeatbeltProfile): string {
  const [files, network] = name.split('-');
  return [
    '(version 1)',
    ...(files === 'permissive' ? PERMISSIVE : files === 'restrictive' ? RESTRICTIVE : STRICT),
    ...WRITES,
    ...(network === 'proxied' ? PROXIED : OPEN),
    '',
  ].join('\n');
}

/** Allows everything except writing. */
const PERMISSIVE = ['(allow default)', '(deny file-write*)'];

const PROCESSES = [
  '(deny default)',
  '(allow process-exec)',
  '(allow process-fork)',
  '(allow process-info* (target same-sandbox))',
  '(allow signal (target same-sandbox))',
  '(allow sysctl-read)',
  '(allow mach-lookup)',
  '(allow ipc-posix-shm*)',
  '(allow ipc-posix-sem*)',
  '(allow system-socket)',
  '(allow pseudo-tty)',
  '(allow iokit-open)',
  '(allow file-ioctl (regex #"^/dev/(tty|ptmx|ttys[0-9]+|null|zero)$"))',
];

/** Allows only reading and what programs need to run. */
const RESTRICTIVE = [...PROCESSES, '(allow file-read*)'];

const INCLUDED = Array.from(
  { length: INCLUDE_DIRECTORIES },
  (_, index) => `  (subpath (param "INCLUDE_DIR_${index}"))`,
);

/** Also limits reading: to the system, tools, the project and our own files. */
const STRICT = [
  ...PROCESSES,
  '(allow file-read-metadata)',
  '(allow file-read*',
  '  (literal "/")',
  '  (subpath "/System")',
  '  (subpath "/Library")',
  '  (subpath "/usr")',
  '  (subpath "/bin")',
  '  (subpath "/sbin")',
  '  (subpath "/opt")',
  '  (subpath "/dev")',
  '  (subpath "/private/etc")',
  '  (subpath "/private/var/db")',
  '  (subpath "/private/var/select")',
  '  (subpath "/Applications/Xcode.app")',
  '  (subpath (param "TARGET_DIR"))',
  '  (subpath (param "TMP_DIR"))',
  '  (subpath (param "CACHE_DIR"))',
  '  (subpath (string-append (param "HOME_DIR") "/.gemini"))',
  '  (subpath (string-append (param "HOME_DIR") "/.npm"))',
  '  (subpath (string-append (param "HOME_DIR") "/.nvm"))',
  '  (subpath (string-append (param "HOME_DIR") "/.volta"))',
  '  (literal (string-append (param "HOME_DIR") "/.gitconfig"))',
  '  (subpath (string-append (param "HOME_DIR") "/.config/git"))',
  ...INCLUDED,
  ')',
];

const WRITES = [
  '(allow file-write*',
  '  (subpath (param "TARGET_DIR"))',
  '  (subpath (param "TMP_DIR"))',
  '  (subpath (param "CACHE_DIR"))',
  '  (subpath (string-append (param "HOME_DIR") "/.gemini"))',
  '  (subpath (string-append (param "HOME_DIR") "/.npm"))',
  '  (subpath (string-append (param "HOME_DIR") "/.cache"))',
  ...INCLUDED,
  '  (literal "/dev/stdout")',
  '  (literal "/dev/stderr")',
  '  (literal "/dev/null")',
  '  (literal "/dev/ptmx")',
  '  (regex #"^/dev/(tty|ttys[0-9]+)$")',
  ')',
];

const OPEN = ['(allow network*)'];

/** Outbound only to the local proxy, inbound only for the debugger. */
const PROXIED = [
  '(deny network*)',
  '(allow network-inbound (local ip "localhost:9229"))',
  `(allow network-outbound (remote tcp "localhost:${PROXY_COMMAND_PORT}"))`,
];
