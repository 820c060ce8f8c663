/** Reads the folder again after its trust has changed: its settings and `.env`; a running engine gets the new trust. */
import { openRunFolder } from '../../../engine/run-folder.js';
import type { AppContext } from '../context/app-context.js';
import type { EngineHost } from './engine-host.js';

export async function readFolderAgain(
  context: AppContext,
  engine: EngineHost,
  editorTrusts = engine.config?.getIde().context()?.isTrusted,
): Promise<void> {
  const { folder, env, line, notice, store } = context;
  const read = await openRunFolder({
    flags: line.flags,
    env,
    warn: notice,
    ...(editorTrusts !== undefined && { editorTrusts }),
  });
  // The same object: the running engine sees what the folder's `.env` file adds.
  Object.assign(env, read.environment.variables);
  const { proxy, fromProject = [] } = read.environment;
  // What the project has set before counts as given for the second reading.
  const names = [...(folder.environment.fromProject ?? []), ...fromProject];
  Object.assign(folder.environment, { proxy, fromProject: names });
  context.folder = { ...read, environment: folder.environment };
  const { trusted } = read.trust;
  engine.config?.setTrusted(trusted);
  store.dispatch({ type: 'facts_changed', facts: { trusted } });
}
