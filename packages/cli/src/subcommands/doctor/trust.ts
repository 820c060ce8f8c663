/** Checks whether the current folder is trusted, and why. */
import { type Check, type CheckResult, count, type Facts, join, ok, statusOf, warning } from './check.js';

export const trust: Check = {
  id: 'trust',
  title: 'Folder trust',
  async run(facts) {
    const { problems } = facts.folders;
    const file: CheckResult = { status: statusOf(problems), details: [], problems: [...problems] };
    return join([facts.trust.trusted ? ok(trustedBy(facts)) : await untrusted(facts), file]);
  },
};

function trustedBy({ trust: { source }, cwd }: Facts): string {
  switch (source) {
    case 'file':
      return `${cwd} is trusted by a rule of trustedFolders.json or the settings`;
    case 'disabled':
      return `${cwd} is trusted: folder trust is disabled (security.folderTrust.enabled)`;
    default:
      return `${cwd} is trusted for this session`;
  }
}

async function untrusted({ trust: { source }, cwd, engine, env }: Facts): Promise<CheckResult> {
  const summary = source === 'none' ? `${cwd} is not trusted yet` : `${cwd} is not trusted`;
  const found = await engine.discoverFolder(cwd, env);
  const kinds: [number, string][] = [
    [found.commands.length, 'command'],
    [found.mcps.length, 'MCP server'],
    [found.hooks.length, 'hook'],
    [found.skills.length, 'skill'],
    [found.agents.length, 'agent'],
    [found.settings.length, 'setting'],
    [found.contextFiles.length, 'context file'],
    [found.policies.length, 'policy file'],
    [found.envFiles.length, '.env file'],
    [found.extensions.length, 'extension'],
  ];
  const named = kinds.flatMap(([number, thing]) => (number > 0 ? [count(number, thing)] : []));
  const content = named.length > 0 ? [`ignored until then: ${named.join(', ')}`] : [];
  return warning(
    [summary, ...content, ...found.securityWarnings],
    'To work here for one run, use --skip-trust or set GEMINI_CLI_TRUST_WORKSPACE=true; headless runs end with ' +
      'exit code 55 without it.',
  );
}
