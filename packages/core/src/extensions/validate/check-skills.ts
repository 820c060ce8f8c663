/** Skills: headers of every SKILL.md, and folders that the manifest names. */
import { join } from 'node:path';
import { isDirectory } from '../../platform/files/try-read.js';
import { loadSkillRoot } from '../../skills/loader.js';
import type { CheckedExtension } from './checked-extension.js';

export async function checkSkills({ dir, manifest, warn, add }: CheckedExtension): Promise<void> {
  for (const [index, folder] of (manifest.skills ?? []).entries())
    if (!isDirectory(join(dir, folder)))
      warn(`skills[${index}]`, `names ${folder}, which is not a folder of the extension.`);
  const folders = new Set(['skills', ...(manifest.skills ?? [])]);
  const reported = new Set<string>();
  for (const folder of folders) {
    const { problems } = await loadSkillRoot({ dir: join(dir, folder), source: 'extension' });
    for (const { file, message, severity } of problems) {
      if (reported.has(`${file}\0${message}`)) continue;
      reported.add(`${file}\0${message}`);
      add({
        level: 'warning',
        message: `The skill ${message}.`.replace(/^The skill its /, "The skill's "),
        file,
        // The skill works as it is.
        ...(severity === 'warning' && { kind: 'skill-standard' as const }),
      });
    }
  }
}
