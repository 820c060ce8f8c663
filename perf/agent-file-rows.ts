/** Measures the loading of agent files. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleScript, COMPILED } from './bundle-script.js';
import { atMost, type Group, statOf } from './row.js';

const COUNT = 100;

export const AGENT_FILE_ROWS: Record<string, Group> = {
  /** In separate processes: the code is cold when the program loads agents. */
  async 'agent-files'(bench) {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-agent-files-')));
    try {
      const script = await bundleScript('agent-files-run', root);
      mkdirSync(join(root, 'agents'));
      for (let index = 0; index < COUNT; index++)
        writeAgent(join(root, 'agents', `agent-${index}.md`), index);
      const measure = (dir: string, count: number) =>
        Number(
          execFileSync(process.execPath, [COMPILED, script, root, dir, String(count)], { encoding: 'utf8' }),
        );
      const times: number[] = [];
      for (let run = -1; run < bench.runs; run++) {
        const took = measure('agents', COUNT);
        if (run >= 0) times.push(took);
      }
      return [
        {
          name: `${COUNT} agent definitions, loaded`,
          unit: 'ms',
          program: statOf(times),
          ...atMost(60, 'ms'),
          note: 'with their acknowledgments; bodies of 6 KB; one in ten needs the line parser',
        },
      ];
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
};

function writeAgent(file: string, index: number): void {
  const description = index % 10 === 0 ? `Use when: number ${index}` : `Reviews files of kind ${index}`;
  const header = `name: agent-${index}\ndescription: ${description}\ntools: [read_file, Grep, mcp_x_*]\nmax_turns: 10`;
  writeFileSync(file, `---\n${header}\n---\n\n${'Instructions of some length.\n'.repeat(200)}`);
}
