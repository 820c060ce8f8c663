/** Skills of the program: their folders, and the tools in `tools/` of those that the model activates. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Config, compileProgramRules, messageOf, type SkillDefinition } from '@gemini-cli/core';
import { isTool } from '../tools/tool.js';
import type { ToolBox } from '../tools/tool-box.js';
import type { SkillReference } from './skill-dir.js';

export interface SkillParts {
  cwd: string;
  notice(message: string): void;
  tools: ToolBox;
}

export interface AddedSkills {
  /** Absolute. */
  dirs: string[];
  /** The engine has started. */
  attach(config: Config): Promise<void>;
}

export function addSkills(references: readonly SkillReference[], parts: SkillParts): AddedSkills {
  const dirs = references.flatMap(({ skillDir }) => {
    const dir = resolve(parts.cwd, skillDir);
    const problem = problemOf(dir);
    if (problem) parts.notice(`skillDir("${skillDir}"): ${problem}`);
    return problem ? [] : [dir];
  });
  return {
    dirs,
    attach: async (config) => {
      if (dirs.length === 0) return;
      const activation = config.getSkillActivation();
      activation.onActivated((skill) => addTools(skill, parts));
      // Those of a resumed conversation.
      const known = await config.whenSkillsAreKnown();
      allow(config, known.getAllSkills());
      for (const skill of activation.listed())
        if (activation.isActive(skill.name)) await addTools(skill, parts);
    },
  };
}

/** The program vouches for its own skills: they are activated without a question. */
function allow(config: Config, skills: readonly SkillDefinition[]): void {
  const rules = skills
    .filter(({ source }) => source === 'program')
    .map(({ name }) => ({
      toolName: 'activate_skill',
      argsPattern: `\\x00"name":"${name.replace(/[^\w ]/g, '\\$&')}"\\x00`,
      decision: 'allow' as const,
      priority: 47,
    }));
  const place = { tier: 'default' as const, source: 'the skills of this program', warn: () => undefined };
  config.getPolicyEngine().addRunRules(compileProgramRules(rules, place));
}

function problemOf(dir: string): string | undefined {
  if (!existsSync(dir)) return 'there is no such folder.';
  if (existsSync(join(dir, 'SKILL.md'))) return undefined;
  const hasSkill = readdirSync(dir).some((name) => existsSync(join(dir, name, 'SKILL.md')));
  return hasSkill ? undefined : 'neither the folder nor one in it has a SKILL.md.';
}

/** Only the program's own skills may bring code: it runs in this process. */
async function addTools(
  { source, location, name }: SkillDefinition,
  { notice, tools }: SkillParts,
): Promise<void> {
  const folder = join(dirname(location), 'tools');
  if (source !== 'program' || !existsSync(folder)) return;
  const files = readdirSync(folder).filter((file) => /\.m?js$/.test(file));
  for (const file of files.sort()) {
    const path = join(folder, file);
    try {
      const loaded: { default?: unknown } = await import(pathToFileURL(path).href);
      const found = [loaded.default].flat();
      if (!found.every(isTool))
        throw new TypeError('the default export is neither a tool nor a list of tools');
      await tools.add(found, { asksFirst: true });
    } catch (error) {
      notice(`Skill "${name}": ${path} is not used: ${messageOf(error)}`);
    }
  }
}
