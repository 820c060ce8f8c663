/** Folders of the system that every restricted process can read: libraries and shared data, not programs. */

/** Folders of libraries, and links to them at the root. */
export const LIBRARY_FOLDERS: readonly string[] = [
  ...['/lib', '/lib32', '/lib64', '/libx32'],
  ...['/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/libx32', '/usr/libexec', '/usr/share', '/usr/include'],
  ...['/usr/local/lib', '/usr/local/lib64', '/usr/local/share'],
];

/** Where shells and other programs search; only declared programs are in them. */
export const PROGRAM_FOLDERS: readonly string[] = [
  ...[
    '/bin',
    '/sbin',
    '/usr/bin',
    '/usr/sbin',
    '/usr/local/bin',
    '/usr/local/sbin',
    '/usr/games',
    '/snap/bin',
  ],
];

/** Of `/etc`, what the loader, name lookup, time zones, certificates and language runtimes need; no secrets. */
export const SYSTEM_FILES: readonly string[] = (
  'ld.so.cache ld.so.conf ld.so.conf.d ld.so.preload nsswitch.conf passwd group hosts host.conf gai.conf resolv.conf ' +
  'protocols services localtime timezone locale.alias locale.conf mime.types magic os-release lsb-release ' +
  'debian_version alpine-release redhat-release ssl ca-certificates ca-certificates.conf pki crypto-policies ' +
  'fonts terminfo inputrc profile bash.bashrc perl python3 python3.9 python3.10 python3.11 python3.12 python3.13 ' +
  'python3.14 java-11-openjdk java-17-openjdk java-21-openjdk'
)
  .split(' ')
  .map((name) => `/etc/${name}`);
