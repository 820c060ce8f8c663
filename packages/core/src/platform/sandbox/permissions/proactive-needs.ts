/** Permissions that well-known programs need, so that the user is asked before they fail. Pure. */
import { join } from 'node:path';
import type { SandboxPermissions } from '../../../protocol/confirmation.js';

const INSTALLING = new Set('install i ci update up publish add remove outdated audit'.split(' '));
/** Git commands that contact another repository. */
const REMOTE = new Set(
  'clone fetch pull push ls-remote remote submodule lfs fetch-pack send-pack'.split(' '),
);

interface Program {
  /** Paths below the home directory. */
  read: readonly string[];
  write: readonly string[];
  /** @param words arguments without options */
  needs: (words: readonly string[]) => boolean;
}

const installs = (words: readonly string[]) => INSTALLING.has(words[0] ?? '');
const installsOrBare = (words: readonly string[]) => words.length === 0 || installs(words);
const always = () => true;

const NPM = { read: ['.npmrc'], write: ['.npm'], needs: installs };
const SSH = { read: ['.ssh'], write: ['.ssh/known_hosts'], needs: always };

const PROGRAMS: ReadonlyMap<string, Program> = new Map(
  Object.entries({
    npm: NPM,
    npx: NPM,
    yarn: {
      read: ['.npmrc', '.yarnrc', '.yarnrc.yml'],
      write: ['.yarn', '.cache/yarn'],
      needs: installsOrBare,
    },
    pnpm: {
      read: ['.npmrc', '.config/pnpm'],
      write: ['.local/share/pnpm', '.local/state/pnpm', '.cache/pnpm', '.pnpm-store'],
      needs: installsOrBare,
    },
    bun: { read: ['.npmrc', '.bunfig.toml'], write: ['.bun'], needs: installsOrBare },
    git: {
      read: ['.gitconfig', '.config/git', '.git-credentials', '.netrc', '.ssh'],
      write: ['.ssh/known_hosts', '.cache/git'],
      needs: (words) => words.some((word) => REMOTE.has(word)),
    },
    ssh: SSH,
    scp: SSH,
    sftp: SSH,
    curl: { read: ['.curlrc', '.netrc'], write: [], needs: always },
    wget: { read: ['.wgetrc', '.netrc'], write: ['.wget-hsts'], needs: always },
  } satisfies Record<string, Program>),
);

/** Undefined when the command needs nothing, or is unknown. */
export function neededUpFront(
  program: string,
  args: readonly string[],
  home: string,
): SandboxPermissions | undefined {
  const known = PROGRAMS.get(program.split('/').at(-1) ?? '');
  if (!known?.needs(args.filter((arg) => !arg.startsWith('-')))) return undefined;
  const below = (names: readonly string[]) => names.map((name) => join(home, name));
  return { network: true, fileSystem: { read: below(known.read), write: below(known.write) } };
}
