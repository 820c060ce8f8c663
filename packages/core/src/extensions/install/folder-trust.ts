/** Installing needs a trusted workspace, and a trusted folder as the source: agreeing to an extension is not enough. */
import { namesIn } from '../../platform/files/try-read.js';
import { carriedFiles } from '../load/carried-files.js';
import { commandNames } from './carried-parts.js';
import { ExtensionInstallError } from './error.js';
import type { InstallPorts } from './ports.js';
import type { PreparedExtension } from './prepare.js';

type TrustPorts = Pick<InstallPorts, 'trust' | 'ask' | 'environment'>;

/** @throws ExtensionInstallError */
export async function requireTrustedWorkspace(ports: TrustPorts): Promise<void> {
  const { cwd } = ports.environment;
  await requireTrust(cwd, `The current folder ${cwd} is not trusted yet. Do you trust it?`, ports);
}

/** @throws ExtensionInstallError */
export async function requireTrustedSource(
  folder: string,
  { manifest, subject, warnings }: PreparedExtension,
  ports: TrustPorts,
): Promise<void> {
  if (ports.trust.isTrusted(folder)) return;
  const { commandsFolder, policiesFolder, hooks, skills, agents } = carriedFiles(subject.dir, manifest);
  const counts = [
    [commandsFolder ? commandNames(commandsFolder).length : 0, 'commands'],
    [Object.keys(manifest.mcpServers ?? {}).length, 'MCP servers'],
    [hooks ? 1 : 0, 'hook files'],
    [skills?.length ?? 0, 'skills'],
    [agents?.length ?? 0, 'agents'],
    [policiesFolder ? namesIn(policiesFolder).length : 0, 'policy files'],
    [manifest.settings?.length ?? 0, 'settings'],
    [warnings.length, 'warnings'],
  ] as const;
  const found = counts.filter(([count]) => count > 0).map(([count, what]) => `${what}: ${count}`);
  const contents = found.length > 0 ? ` It contains ${found.join(', ')}.` : '';
  await requireTrust(folder, `The folder ${folder} is not trusted yet.${contents} Do you trust it?`, ports);
}

async function requireTrust(folder: string, question: string, { trust, ask }: TrustPorts): Promise<void> {
  if (trust.isTrusted(folder)) return;
  if (!ask || !(await ask(question)))
    throw new ExtensionInstallError(
      `Nothing was changed: ${folder} is not trusted. Start gemini there and trust the folder, or set GEMINI_CLI_TRUST_WORKSPACE=true.`,
    );
  await trust.setTrusted(folder);
}
