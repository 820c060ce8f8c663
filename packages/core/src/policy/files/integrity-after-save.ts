/** A rule the user saves into the project's policies is one the user accepts. */
import { join } from 'node:path';
import { acceptIntegrity, digestOf, integrityOf } from './integrity.js';
import { workspacePolicyPaths } from './policy-presence.js';
import { readPolicyFiles } from './toml-loader.js';

/** Files that were accepted before stay so; others still have to be shown. */
export async function keepAccepted<T>(
  globalDir: string,
  projectDir: string,
  write: () => Promise<T>,
): Promise<T> {
  const store = join(globalDir, 'policy_integrity.json');
  const read = () => readPolicyFiles(workspacePolicyPaths(projectDir), 'workspace').files;
  const before = read();
  const wasAccepted =
    before.length === 0 || integrityOf(store, projectDir, digestOf(before, projectDir)) === 'accepted';
  const result = await write();
  if (wasAccepted) await acceptIntegrity(store, projectDir, digestOf(read(), projectDir));
  return result;
}
