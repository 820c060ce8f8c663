/** A command for each skill of the user, the project and extensions: `/<name> [request]`. */
import { type Config, PolicyDecision, type SkillDefinition, visibleName } from '@gemini-cli/core';
import { failure } from '../builtin/define.js';
import {
  type CommandContext,
  CommandKind,
  type ICommandLoader,
  type SlashCommand,
  type SlashCommandActionReturn,
} from '../types.js';

const MAX_DESCRIPTION = 100;
const TOOL = 'activate_skill';

export class SkillCommandLoader implements ICommandLoader {
  /** @param engine undefined while it is not running: then there are no such commands yet */
  constructor(private readonly engine: () => Config | undefined) {}

  async loadCommands(): Promise<SlashCommand[]> {
    const skills = (await this.engine()?.whenSkillsAreKnown())?.getSkills() ?? [];
    return skills.filter(hasCommand).map(toCommand);
  }
}

/** Our own skills are for the model: their names are not taken from the user's commands. */
function hasCommand({ isBuiltin, userInvocable }: SkillDefinition): boolean {
  return !isBuiltin && userInvocable !== false;
}

function commandNameOf({ name, extensionName }: SkillDefinition): string {
  const own = name.trim().replace(/\s+/g, '-');
  return extensionName === undefined ? own : `${extensionName}:${own}`;
}

function toCommand(skill: SkillDefinition): SlashCommand {
  const { description, extensionName } = skill;
  const plain = visibleName(description);
  const short = plain.length > MAX_DESCRIPTION ? `${plain.slice(0, MAX_DESCRIPTION - 3)}...` : plain;
  return {
    name: commandNameOf(skill),
    kind: CommandKind.SKILL,
    namespace: 'skill',
    description: extensionName === undefined ? short : `[${visibleName(extensionName)}] ${short}`,
    autoExecute: false,
    ...(extensionName !== undefined && { extensionName }),
    action: (context, args) => runSkill(context, skill.name, args),
  };
}

/** Activates a skill and sends the request, or the plain request to use it. */
export async function runSkill(
  { services, invocation, signal = new AbortController().signal, ui }: CommandContext,
  name: string,
  request: string,
): Promise<SlashCommandActionReturn> {
  const { config } = services;
  if (!config) return failure('The engine is not running yet. Sign in first: /auth.');
  const args = { name };
  const { decision, reason } = await config.getPolicyEngine().check({ name: TOOL, args }, { signal });
  if (decision === PolicyDecision.DENY) {
    const display = visibleName(name);
    return failure(
      config.isInteractive()
        ? `The skill "${display}" cannot be activated. ${reason ?? ''}`.trim()
        : `The skill "${display}" needs your approval, which a headless run cannot ask for. Allow ${TOOL} with ` +
            'tools.allowed in settings.json, a policy rule, or --approval-mode yolo.',
    );
  }
  config.getSkillActivation().request(name);
  const typed = invocation?.raw ?? `/${name} ${request}`.trim();
  const prompt = request === '' ? `Use the skill "${name}".` : request;
  const content = prompt.includes('@') ? await expanded(prompt, config, ui, signal) : prompt;
  return { type: 'submit_prompt', content, display: typed, typed, call: { name: TOOL, args } };
}

async function expanded(prompt: string, config: Config, ui: CommandContext['ui'], signal: AbortSignal) {
  const { expandAtReferences } = await import('../../input/at-references.js');
  const mask = (text: string) => config.maskForModel(text);
  const { parts, notices } = await expandAtReferences({ piped: '', typed: prompt }, config, { signal, mask });
  for (const text of notices) ui.addItem({ type: 'warning', text });
  return parts;
}
