/** Whether a converted plugin loads: read by the same functions as an installed extension. */
import { join } from 'node:path';
import { parseAgentFile, problemText } from '../../../agents/definition/parse-agent-file.js';
import { parseFrontMatter, textField } from '../../../base/front-matter.js';
import { tryReadText } from '../../../platform/files/try-read.js';
import { carriedFiles } from '../../load/carried-files.js';
import { readManifest } from '../../manifest/read-manifest.js';
import type { ExtensionProblem } from '../../types.js';

/** Every problem is an error: what we write ourselves must be free of them. */
export async function checkResult(dir: string): Promise<ExtensionProblem[]> {
  const { manifest, problems } = readManifest(dir, { workspacePath: dir });
  const found = problems.map((problem): ExtensionProblem => ({ ...problem, level: 'error' }));
  if (!manifest) return found;
  const { agents = [], skills = [] } = carriedFiles(dir, manifest);
  for (const name of agents) {
    const file = join(dir, 'agents', name);
    const { problem } = await parseAgentFile(tryReadText(file) ?? '', { kind: 'extension', file });
    if (problem) found.push({ level: 'error', message: problemText(problem), file });
  }
  for (const name of skills) {
    const file = join(dir, 'skills', name, 'SKILL.md');
    const header = await parseFrontMatter(tryReadText(file) ?? '');
    const isComplete = ['name', 'description'].every((key) => textField(header, key) !== undefined);
    if (!isComplete) found.push({ level: 'error', message: 'it has no name or no description', file });
  }
  return found;
}
