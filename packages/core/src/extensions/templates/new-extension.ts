/** Makes the folder of a new extension from a template: for `gemini extensions new`. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf, messageOf, UserError } from '../../base/errors.js';
import { findBuiltFile } from '../../platform/built-file.js';
import { entriesIn } from '../../platform/files/try-read.js';
import { MANIFEST_FILE } from '../types.js';

const NAME = /^[a-zA-Z0-9-]+$/;
/** Stands for the name of the new extension in the files of a template. */
const PLACEHOLDER = /\bmy-extension\b/g;

export interface NewExtension {
  name: string;
  path: string;
  /** Relative to the folder, with `/`; sorted. */
  files: string[];
}

/**
 * @param path absolute; must not exist. Its last part becomes the name
 * @param template absent: only a manifest
 * @throws UserError, and then nothing is left of the folder
 */
export function newExtension(path: string, template?: string): NewExtension {
  const name = basename(path);
  const source = template === undefined ? undefined : templateFolder(template);
  if (!NAME.test(name))
    throw new UserError(
      `"${name}" cannot be the name of an extension: use letters, digits and "-" for the folder, such as ${suggest(name)}.`,
    );
  createFolder(path);
  try {
    const files = source === undefined ? writeManifest(path, name) : copyTemplate(source, path, name);
    return { name, path, files: files.sort() };
  } catch (error) {
    rmSync(path, { recursive: true, force: true });
    throw new UserError(`The extension could not be written to ${path}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Names of the templates, sorted. */
export function templateNames(): string[] {
  return entriesIn(templatesDir())
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function templateFolder(template: string): string {
  const known = templateNames();
  if (!known.includes(template))
    throw new UserError(`There is no template "${template}". Choose one of: ${known.join(', ')}.`);
  return join(templatesDir(), template);
}

/** Beside the built code, or in the source folder. */
function templatesDir(): string {
  return findBuiltFile('extension-templates') ?? dirname(fileURLToPath(import.meta.url));
}

function createFolder(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    mkdirSync(path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST')
      throw new UserError(`${path} exists already. Name a folder that does not exist.`, { cause: error });
    throw new UserError(`The folder ${path} cannot be created: ${messageOf(error)}`, { cause: error });
  }
}

function writeManifest(path: string, name: string): string[] {
  writeFileSync(join(path, MANIFEST_FILE), `${JSON.stringify({ name, version: '1.0.0' }, null, 2)}\n`);
  return [MANIFEST_FILE];
}

function copyTemplate(from: string, to: string, name: string, below = ''): string[] {
  return readdirSync(from, { withFileTypes: true }).flatMap((entry) => {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    const relative = `${below}${entry.name}`;
    if (entry.isDirectory()) {
      mkdirSync(target);
      return copyTemplate(source, target, name, `${relative}/`);
    }
    const text = readFileSync(source, 'utf8').replace(PLACEHOLDER, name);
    writeFileSync(target, relative === MANIFEST_FILE ? withName(text, name) : text);
    return [relative];
  });
}

/** The first key of a template's manifest is its name; the rest keeps its form. */
function withName(manifest: string, name: string): string {
  return manifest.replace(/"name": "[^"]*"/, `"name": "${name}"`);
}

function suggest(name: string): string {
  const plain = name.replace(/[^a-zA-Z0-9]+/g, '-').replace(/^-+|-+$/g, '');
  return plain === '' ? '"my-extension"' : `"${plain.toLowerCase()}"`;
}
