/** What an editor of the VS Code family says about itself: preview versions and forks have names and commands of their own. */
import { readFileSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { isObject } from '../../base/objects.js';
import { visibleName } from '../../base/visible-text.js';
import type { Variables } from '../../platform/environment.js';

export interface Product {
  /** Where its `product.json` is. */
  folder: string;
  /** For users. */
  displayName: string | undefined;
  command: string | undefined;
}

/** The editor of this terminal, found by its git extension or by what its remote part adds to PATH. */
export function productsHere({ VSCODE_GIT_ASKPASS_MAIN: askpass = '', PATH = '' }: Variables): Product[] {
  const [, byGit = ''] = /^(.+)[\\/]extensions[\\/]git[\\/]/.exec(askpass) ?? [];
  const byPath = PATH.split(delimiter).map(
    (folder) => /^(.+)[\\/]bin[\\/]remote-cli$/.exec(folder)?.[1] ?? '',
  );
  return [byGit, ...byPath].filter(isAbsolute).flatMap((folder) => productIn(folder) ?? []);
}

function productIn(folder: string): Product | undefined {
  try {
    const product: unknown = JSON.parse(readFileSync(join(folder, 'product.json'), 'utf8'));
    if (!isObject(product)) return undefined;
    const { nameLong: name, applicationName: command } = product;
    return {
      folder,
      displayName: typeof name === 'string' && isShort(name) ? shortName(name) : undefined,
      command: typeof command === 'string' && /^\w[\w.-]*$/.test(command) ? command : undefined,
    };
  } catch {
    return undefined;
  }
}

function isShort(name: string): boolean {
  return name.trim() !== '' && name.length <= 100 && visibleName(name) === name;
}

/** As the companion calls it. */
function shortName(name: string): string {
  return /visual studio code/i.test(name) ? 'VS Code' : name;
}
