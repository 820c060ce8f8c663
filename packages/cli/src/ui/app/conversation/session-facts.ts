/** Facts of the footer and the summary line that are collected after the first frame. */
import type { Config, Settings } from '@gemini-cli/core';
import { gitBranch } from '../../../commands/git-service.js';
import type { SessionFacts } from '../../store/state.js';

/** E-mail and plan; the e-mail only if the user wants it on the screen (`ui.showUserIdentity`). */
export function accountFacts(
  config: Pick<Config, 'getGoogleAccount'> | undefined,
  { ui }: Settings,
): Pick<SessionFacts, 'account' | 'tier'> {
  const { email, tier } = config?.getGoogleAccount() ?? {};
  return { ...(email && ui?.showUserIdentity !== false && { account: email }), ...(tier && { tier }) };
}

export async function gatherFacts(
  config: Config,
  cwd: string,
  settings: Settings,
): Promise<Partial<SessionFacts>> {
  const memory = await config
    .getMemory()
    .list()
    .catch(() => []);
  const names = new Set(memory.map((path) => path.slice(path.lastIndexOf('/') + 1)));
  const skills = await config.whenSkillsAreKnown();
  return {
    model: config.getModel(),
    skills: countSkills(skills),
    auth: config.getAuthType(),
    ...accountFacts(config, settings),
    sessionId: config.getSessionId(),
    contextFiles: memory.length,
    contextFileName: names.size === 1 ? ([...names][0] ?? 'GEMINI.md') : 'context',
    hasOwnPrompt: config.hasOwnSystemPrompt(),
    sandbox: sandboxName(config),
    trusted: config.isTrustedFolder(),
    branch: gitBranch(cwd),
  };
}

/** Our own are not counted. */
export function countSkills(manager: ReturnType<Config['getSkillManager']>): number {
  return manager.getSkills().filter(({ isBuiltin }) => !isBuiltin).length;
}

function sandboxName(config: Config): string {
  if (config.getEnvironment().variables['SANDBOX']) return 'current process';
  return config.getToolSandbox() ? 'all tools' : 'no sandbox';
}
