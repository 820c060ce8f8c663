/** Measures the discovery of skills. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleScript, COMPILED } from './bundle-script.js';
import { atMost, type Group, statOf } from './row.js';

const COUNT = 1_000;

export const SKILLS_ROWS: Record<string, Group> = {
  /** In separate processes: the code is cold when the program discovers skills. */
  async skills(bench) {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-skills-')));
    try {
      const script = await bundleScript('skills-run', root);
      const dir = join(root, 'skills');
      for (let index = 0; index < COUNT; index++) writeSkill(join(dir, `skill-${index}`), index);
      const times: number[] = [];
      for (let run = -1; run < bench.runs; run++) {
        const output = execFileSync(process.execPath, [COMPILED, script, dir, String(COUNT)], {
          encoding: 'utf8',
        });
        if (run >= 0) times.push(Number(output));
      }
      return [
        {
          name: `${COUNT.toLocaleString('en')} skills, discovered`,
          unit: 'ms',
          program: statOf(times),
          ...atMost(120, 'ms'),
          note: 'one in ten has a folded text, one in twenty is not valid YAML, one in fifty needs the library; bodies of 20 KB are not read',
        },
      ];
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
};

const NESTED = 'metadata:\n  author: team\n  version: "1.0"\n';

function writeSkill(folder: string, index: number): void {
  mkdirSync(folder, { recursive: true });
  const words = 'Reviews and rewrites files of one kind, with the rules of the team';
  const description =
    index % 20 === 0
      ? `Use when: the user asks for number ${index}`
      : index % 10 === 5
        ? `>-\n  ${words}\n  for number ${index}`
        : `${words} for number ${index}`;
  const body = 'Instructions of some length.\n'.repeat(700);
  writeFileSync(
    join(folder, 'SKILL.md'),
    `---\nname: skill-${index}\ndescription: ${description}\n${index % 50 === 7 ? NESTED : ''}---\n\n${body}`,
  );
}
