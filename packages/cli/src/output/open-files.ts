/** Files of the editor by names that tell them apart. */
import { sep } from 'node:path';

/** The file's name; of files with the same name also the folders above it. `(active)` marks the one in use. */
export function fileLabels(files: readonly { path: string; isActive?: boolean }[]): string[] {
  const parts = files.map(({ path }) => path.split(sep).filter(Boolean));
  return files.map(({ isActive }, index) => {
    const label = labelOf(
      parts[index] ?? [],
      parts.filter((_, other) => other !== index),
    );
    return isActive ? `${label} (active)` : label;
  });
}

function labelOf(path: readonly string[], others: readonly (readonly string[])[]): string {
  for (let count = 1; count < path.length; count++) {
    const label = path.slice(-count).join(sep);
    if (!others.some((other) => other.slice(-count).join(sep) === label)) return label;
  }
  return path.join(sep);
}
