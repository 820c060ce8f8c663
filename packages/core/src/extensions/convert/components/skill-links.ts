/** Relative paths in a text whose files have moved. */

const PATH = /(?<![\w./@$}~-])(?:\.\/)?[\w@.-]+(?:\/[\w@.-]+)*\/?/g;

/**
 * @param files paths below the folder of the text
 * @param folder where they are now
 */
export function adjustLinks(text: string, files: ReadonlySet<string>, folder: string): string {
  if (files.size === 0) return text;
  const known = new Set(files);
  for (const file of files)
    for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1))
      known.add(`${file.slice(0, at)}/`);
  return text.replace(PATH, (word) => {
    // A sentence may end behind a path.
    const [, path = word, rest = ''] = /^(.*?)([.,;:]*)$/.exec(word) ?? [];
    const plain = path.replace(/^\.\//, '');
    return known.has(plain) ? `${folder}/${plain}${rest}` : word;
  });
}
