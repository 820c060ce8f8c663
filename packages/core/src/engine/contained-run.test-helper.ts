/** For tests: runs any command line as if it had been judged harmless, in the sandbox of such commands. */
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@gemini-cli/test-utils';
import { environmentOf } from '../platform/environment.js';
import type { ShellResult } from '../platform/shell/shell-execution.js';
import { ShellExecutionService } from '../platform/shell/shell-service.js';
import type { ShellSettings } from '../platform/shell/shell-settings.js';
import { DEFAULT_SHELL_SETTINGS } from '../platform/shell/shell-settings.test-helper.js';
import { storageOf } from '../platform/storage/project-id.js';
import type { Containment } from '../protocol/confirmation.js';
import { WorkspaceContext } from '../workspace/workspace-context.js';
import { SessionContainment } from './session-containment.js';

export interface ContainedRunner {
  base: string;
  home: string;
  workspace: string;
  /** What policy asks before it allows a command. */
  containment: SessionContainment;
  /** In a real bash, without asking the user. The result holds the error if it could not be contained. */
  run(command: string, kind?: Containment, options?: ContainedRunOptions): Promise<ShellResult>;
  cleanUp(): Promise<void>;
}

export interface ContainedRunOptions {
  cwd?: string;
  environment?: Record<string, string>;
  settings?: Partial<ShellSettings>;
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** @param variables besides the home directory: what the program itself was started with */
export function containedRunner(
  variables: Record<string, string | undefined> = process.env,
): ContainedRunner {
  const temp = tempDir('gemini-contained-');
  const base = realpathSync(temp.path);
  const [home, workspace] = [join(base, 'home'), join(base, 'work')];
  for (const directory of [home, workspace]) mkdirSync(directory);
  const ours = { ...variables, HOME: home };
  const storage = storageOf(ours, workspace);
  mkdirSync(storage.getProjectTempDir(), { recursive: true });
  const containment = new SessionContainment({
    environment: environmentOf(ours, workspace),
    storage,
    targetDir: workspace,
    workspaceContext: new WorkspaceContext(workspace),
  });
  const service = new ShellExecutionService({ logDirectory: join(base, 'logs'), variables: ours });
  return {
    base,
    home,
    workspace,
    containment,
    run: async (command, kind = 'read-only', { cwd = workspace, environment, settings, ...rest } = {}) => {
      const { result } = await service.execute({
        command,
        cwd,
        settings: { ...DEFAULT_SHELL_SETTINGS, ...settings },
        isTrustedFolder: true,
        signal: new AbortController().signal,
        environment,
        isolate: containment.isolate({ command, cwd, environment }, kind),
        ...rest,
      });
      return result;
    },
    cleanUp: async () => {
      await service.killAll();
      temp.cleanup();
    },
  };
}
