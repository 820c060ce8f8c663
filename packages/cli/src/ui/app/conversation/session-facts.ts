/** Facts of the footer and the summary line that are collected after the first frame. */
import type { Config } from '@gemini-cli/core';
import { gitBranch } from '../../../commands/git-service.js';
import type { SessionFacts } from '../../store/state.js';

export async function gatherFacts(config: Config, cwd: string): Promise<Partial<SessionFacts>> {
  const memory = await config
    .getMemory()
    .list()
    .catch(() => []);
  const names = new Set(memory.map((path) => path.slice(path.lastIndexOf('/') + 1)));
  return {
    model: config.getModel(),
    auth: config.getAuthType(),
    sessionId: config.getSessionId(),
    contextFiles: memory.length,
    contextFileName: names.size === 1 ? ([...names][0] ?? 'GEMINI.md') : 'context',
    sandbox: sandboxName(config),
    trusted: config.isTrustedFolder(),
    branch: gitBranch(cwd),
  };
}

function sandboxName(config: Config): string {
  if (config.getEnvironment().variables['SANDBOX']) return 'current process';
  return config.getToolSandbox() ? 'all tools' : 'no sandbox';
}
