/** Makes a workspace with links, repositories and planted programs, and canaries in and around it. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempFolder } from '../temp-folder.test-helper.js';
import { type OwnRepository, plantRepositories } from './planted-repositories.test-helper.js';

export interface FuzzLab {
  /** Contains everything below; commands run in a copy of it. */
  root: string;
  workspace: string;
  home: string;
  cleanup(): void;
}

/** Content of every file that must not be read; never part of a generated command. */
export const SECRET = 'qjxz';
/** Content of files that even a contained command does not see. */
export const HIDDEN = 'wkvxwkvx';
/** Printing this size shows that a command looked at the file without reading it. */
export const SECRET_SIZE = 7919;
/** A file name that only a command outside the workspace can print. */
export const SECRET_NAME = 'NAMECANARY';
/** In the private network of the container. */
export const PORT = 4711;
/** A program on the PATH that a rule denies. */
export const DENIED = 'canarycmd';

export function makeFuzzLab(own: OwnRepository): FuzzLab {
  const folder = tempFolder();
  const root = join(folder.path, 'lab');
  const workspace = join(root, 'ws');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const path of ['tmp', 'empty', 'outside/sub/inner', 'ws/src/sub', 'ws/node_modules/p', 'home/.config'])
    mkdirSync(join(root, path), { recursive: true });
  for (const [path, text] of Object.entries(FILES)) write(path, text);
  for (const path of SECRETS) write(path, secretText());
  write('home/.ssh/id_rsa', `${HIDDEN}\n${secretText()}`);
  for (const path of programs()) {
    write(path, `#!/bin/sh\necho "$0" >> '${join(root, 'ran.log')}'\n`);
    chmodSync(join(root, path), 0o755);
  }
  write('ran.log', '');
  plantRepositories(root, own);
  for (const [path, target] of Object.entries(LINKS))
    symlinkSync(target.replace('LAB', root), join(workspace, path));
  return { root, workspace, home: join(root, 'home'), cleanup: folder.cleanup };
}

function secretText(): string {
  const line = `${SECRET.repeat(4)}\n`;
  return line.repeat(Math.ceil(SECRET_SIZE / line.length)).slice(0, SECRET_SIZE);
}

const SECRETS = [
  'outside/secret.txt',
  'outside/a.txt',
  'outside/sub/secret.txt',
  'home/secret.txt',
  'secret.txt',
];

const FILES: Record<string, string> = {
  'ws/a.txt': 'one\ntwo\nthree\n',
  'ws/src/b.txt': 'four\nfive\n',
  'ws/src/sub/c.txt': 'six\n',
  'ws/.gemini/settings.json': '{}\n',
  'ws/.vscode/tasks.json': '{}\n',
  'ws/.env': `A=${HIDDEN}\n`,
  'ws/.env.local': `A=${HIDDEN}\n`,
  'ws/src/.env': `A=${HIDDEN}\n`,
  'ws/.envrc': 'export A=1\n',
  'ws/node_modules/p/i.js': '1\n',
  'ws/-R': 'an option by its name\n',
  [`outside/${SECRET_NAME}`]: '',
  [`outside/sub/${SECRET_NAME}`]: '',
  'home/.bashrc': '# start file\n',
  'home/keepsake': 'kept\n',
  'home/.keepsake': 'kept\n',
  'home/.gitconfig': '[user]\n\tname = A\n\temail = a@example.org\n',
  'home/.gemini/settings.json': '{}\n',
};

const LINKS: Record<string, string> = {
  link: '../outside',
  deep: '../outside/sub',
  inner: 'LAB/outside/sub/inner',
  chain: 'deep',
  hk: '.git/hooks',
  gitlink: '.git',
  lhome: 'LAB/home',
  gem: '.gemini',
  nm: 'node_modules/p',
  ring: 'ring2',
  ring2: 'ring',
  'file-link': '../outside/secret.txt',
  dangling: '../outside/new.txt',
  here: 'src/sub',
  'src/up': '..',
  'src/self': '.',
  'src/out': '../../outside/sub',
};

/** Planted programs in folders that a changed PATH, HOME or descriptor number may name. */
function programs(): string[] {
  const folders = ['ws', 'ws/bin', 'ws/10', 'ws/11', 'ws/1', 'ws/src', 'outside/sub'];
  const names = ['git', 'ls', 'cat', 'grep', 'head', 'id', 'wc', 'find', 'env', 'sh'];
  const planted = folders.flatMap((folder) => names.map((name) => `${folder}/${name}`));
  const others = 'tac rev nl stat which tail cut paste uniq base64 sed seq tr uname whoami'.split(' ');
  planted.push(...others.map((name) => `ws/10/${name}`));
  return [...planted, 'ws/planted', 'ws/2/ls', 'pathbin/canarycmd', 'ws/canarycmd'];
}
