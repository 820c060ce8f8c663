/** Resolves the paths that an extension declares. */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize, resolve } from 'node:path';
import type { ExtensionCapabilities } from '../../../protocol/extension-capabilities.js';
import { isInside, realPathOf } from '../../files/real-path.js';
import { followLinks, type PathLink } from './follow-links.js';

export interface DeclaredPaths {
  /** Real paths that exist. */
  read: readonly string[];
  write: readonly string[];
  /** The links that lead to them. */
  links: readonly PathLink[];
  /** Not granted, with the reason. */
  refused: readonly { path: string; why: string }[];
}

export interface PathPlaces {
  home: string;
  workspace: string;
  extensionPath: string;
}

/** A path that does not exist is left out without a word: it may be created later. */
export function declaredPaths(files: ExtensionCapabilities['files'], places: PathPlaces): DeclaredPaths {
  const links: PathLink[] = [];
  const refused: { path: string; why: string }[] = [];
  const guarded = [places.extensionPath, places.workspace].map(realPathOf);
  const manifest = join(realPathOf(places.extensionPath), 'gemini-extension.json');
  const resolveAll = (paths: readonly string[], isWritten = false) =>
    paths.flatMap((written) => {
      const path = absolutePath(written, places);
      const followed = followLinks(path, guarded);
      if (!followed) {
        refused.push({ path: written, why: 'it is a link that leads out of its folder' });
        return [];
      }
      if (followed.real === '/') {
        refused.push({ path: written, why: 'it is the whole file system' });
        return [];
      }
      if (isWritten && [manifest, dirname(manifest)].includes(followed.real)) {
        refused.push({ path: written, why: 'the extension could change its own manifest' });
        return [];
      }
      if (!existsSync(followed.real)) return [];
      links.push(...followed.links);
      return [followed.real];
    });
  const write = outermost(resolveAll(files.write, true));
  // Inside a writable folder a path could be exchanged for a link between this check and its use.
  const read = resolveAll(files.read).filter((path) => !write.some((folder) => isInside(path, folder)));
  return { read, write, links, refused };
}

function absolutePath(written: string, { home, workspace }: PathPlaces): string {
  const path = written.trim().replace(/^~(?=$|\/)/, () => home);
  const absolute = isAbsolute(path) ? normalize(path) : resolve(workspace, path);
  return absolute.length > 1 ? absolute.replace(/\/+$/, '') : absolute;
}

function outermost(paths: readonly string[]): string[] {
  return paths.filter((path) => !paths.some((other) => other !== path && isInside(path, other)));
}
