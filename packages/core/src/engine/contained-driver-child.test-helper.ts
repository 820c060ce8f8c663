/** Starts each command as if it had been judged harmless, in the sandbox of such commands; see `driver-lab`. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { environmentOf } from '../platform/environment.js';
import { ShellExecutionService } from '../platform/shell/shell-service.js';
import { UNATTENDED } from '../platform/shell/shell-settings.js';
import { storageOf } from '../platform/storage/project-id.js';
import { type DriverOrder, drive, type StartCommand } from '../policy/fuzz/driver-lab.test-helper.js';
import { WorkspaceContext } from '../workspace/workspace-context.js';
import { SessionContainment } from './session-containment.js';

const COMMAND_MS = 2000;

const SETTINGS = {
  ...UNATTENDED,
  enableInteractiveShell: false,
  backgroundAfterSeconds: 0,
  inactivityTimeoutSeconds: 0,
  pager: 'cat',
  showColor: false,
  backgroundCompletionBehavior: 'silent',
  environmentRedaction: { enabled: false, allowed: [], blocked: [] },
} as const;

async function prepare({ root, variables }: DriverOrder): Promise<StartCommand> {
  const workspace = join(root, 'ws');
  const storage = storageOf(variables, workspace);
  mkdirSync(storage.getProjectTempDir(), { recursive: true });
  const containment = new SessionContainment({
    environment: environmentOf(variables, workspace),
    storage,
    targetDir: workspace,
    workspaceContext: new WorkspaceContext(workspace),
  });
  const state = await containment.state();
  if (!state.ok) throw new Error(`Commands cannot be contained here: ${state.reason}`);
  const service = new ShellExecutionService({ logDirectory: join(root, 'tmp/logs'), variables });
  return async ({ command, directory, mode }) => {
    const cwd = join(root, directory);
    const kind = mode === 'contained-workspace' ? 'workspace' : 'read-only';
    const { result } = await service.execute({
      command,
      cwd,
      settings: SETTINGS,
      isTrustedFolder: true,
      signal: new AbortController().signal,
      timeoutMs: COMMAND_MS,
      isolate: containment.isolate({ command, cwd }, kind),
    });
    const { output, error } = await result;
    return error ? `not run: ${error.message}` : output;
  };
}

if (process.argv[2]) await drive(prepare);
