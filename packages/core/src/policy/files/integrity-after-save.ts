/** Saving an "always" answer into the project's policies counts as accepting that change. */
import { join } from 'node:path';
import { acceptIntegrity, digestOf, integrityOf } from './integrity.js';
import { workspacePolicyPaths } from './policy-presence.js';
import { readPolicyFiles } from './toml-loader.js';

/** Renews the acceptance only if the files were accepted before; otherwise the user still has to accept them. */
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
