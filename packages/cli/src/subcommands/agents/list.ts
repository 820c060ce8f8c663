/** `gemini agents list`. */
import { type AgentFilesModule, judgeFolder, setting } from '@gemini-cli/core';
import { escapeControls } from '../../output/json-text.js';
import { notice, oneLine, safeText } from '../../output/output.js';
import type { SubcommandIo } from '../subcommand.js';

export interface ListContext {
  engine: AgentFilesModule;
  cwd: string;
  globalDir: string;
}

type Inspected = Awaited<ReturnType<AgentFilesModule['inspectAgents']>>;

export async function listAgents(
  { json }: { json: boolean },
  io: SubcommandIo,
  { engine, cwd, globalDir }: ListContext,
): Promise<number> {
  const { settings, trust } = judgeFolder({ cwd, env: io.env });
  settings.activate({ trusted: trust.trusted });
  const { merged } = settings;
  const found = await engine.inspectAgents({
    cwd,
    globalDir,
    isTrusted: trust.trusted,
    rules: {
      enableAgents: setting(merged, 'experimental.enableAgents'),
      enabled: setting(merged, 'agents.enabled'),
      disabled: setting(merged, 'agents.disabled'),
      overrides: setting(merged, 'agents.overrides'),
    },
  });
  io.stdout(json ? asJson(found) : asText(found));
  if (!setting(merged, 'experimental.enableAgents'))
    notice(io, 'WARNING', 'Agents are disabled (experimental.enableAgents).');
  if (!trust.trusted)
    notice(io, 'INFO', 'Agents of this folder are not listed, because the folder is not trusted.');
  for (const message of found.warnings) notice(io, 'WARNING', message);
  for (const problem of found.problems) io.stderr(safeText(engine.problemText(problem)));
  return 0;
}

function asText({ agents }: Inspected): string {
  if (agents.length === 0) return 'No agents found.\n';
  const blocks = agents.map((agent) => {
    const { name, description, kind, source } = agent.definition;
    const marks = [
      stateOf(agent),
      ...(kind === 'remote' ? ['Remote'] : []),
      ...(source?.file ? [] : ['Built-in']),
    ];
    return [
      `${oneLine(name)} ${marks.map((mark) => `[${mark}]`).join(' ')}`,
      `  Description: ${oneLine(description)}`,
      ...(source?.file ? [`  Location:    ${oneLine(source.file)}`] : []),
      '',
    ].join('\n');
  });
  return `Agents:\n\n${blocks.join('\n')}\n`;
}

function stateOf({ isEnabled, needsAcknowledgment }: Inspected['agents'][number]): string {
  if (!isEnabled) return 'Disabled';
  return needsAcknowledgment ? 'Not acknowledged' : 'Enabled';
}

function asJson({ agents, problems }: Inspected): string {
  const list = agents.map(({ definition, isEnabled, needsAcknowledgment }) => ({
    name: definition.name,
    displayName: definition.displayName ?? definition.name,
    description: definition.description,
    kind: definition.kind,
    source: definition.source?.kind,
    ...(definition.source?.file && { file: definition.source.file }),
    enabled: isEnabled && !needsAcknowledgment,
    acknowledged: !needsAcknowledgment,
  }));
  const errors = problems.map(({ file, issues }) => ({ file, issues }));
  return `${escapeControls(JSON.stringify({ agents: list, errors }, null, 2))}\n`;
}
