// The licences of the libraries whose code is inside a package: they ask to be passed on with it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param folders of the libraries, relative to the repository */
export function noticesText(root, folders) {
  return folders.map((folder) => noticeOf(join(root, folder))).join(`\n${'-'.repeat(80)}\n\n`);
}

/** The libraries that a bundle of esbuild contains. */
export function bundledLibraries({ outputs }) {
  const folders = new Set();
  for (const { inputs = {} } of Object.values(outputs)) {
    for (const path of Object.keys(inputs)) {
      const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
      if (folder) folders.add(folder);
    }
  }
  return [...folders].sort();
}

function noticeOf(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  const texts = files.filter((file) => existsSync(join(folder, file))).map((file) => read(folder, file));
  const by = typeof author === 'string' ? author : author?.name;
  return [`${name} ${version} (${license})`, ...(texts.length > 0 ? texts : by ? [`By ${by}`] : []), ''].join(
    '\n\n',
  );
}

function read(folder, file) {
  return readFileSync(join(folder, file), 'utf8').trim();
}
