/** Measures the conversion of a plugin by the built program. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { atMost, type Group, statOf } from './row.js';

const PROGRAM = join(import.meta.dirname, '..', 'packages', 'cli', 'dist', 'gemini.cjs');
const EACH = 50;

export const CONVERT_ROWS: Record<string, Group> = {
  async convert(bench) {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-convert-')));
    try {
      writePlugin(join(root, 'plugin'));
      const env = { ...process.env, HOME: root, GEMINI_CLI_HOME: root };
      const times: number[] = [];
      for (let run = -1; run < bench.runs; run++) {
        const output = join(root, `out${run}`);
        const started = performance.now();
        execFileSync(process.execPath, [PROGRAM, 'extensions', 'convert', 'plugin', '--output', output], {
          cwd: root,
          env,
        });
        if (run >= 0) times.push(performance.now() - started);
      }
      return [
        {
          name: `convert a plugin of ${4 * EACH} files`,
          unit: 'ms',
          program: statOf(times),
          ...atMost(500, 'ms'),
          note: 'the whole process; a quarter each: agents, commands, skills, scripts',
        },
      ];
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
};

function writePlugin(root: string): void {
  const put = (path: string, content: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  put('.claude-plugin/plugin.json', '{"name": "large", "version": "1.0.0"}');
  const body = 'Use `Bash` as CLAUDE.md says, and tell the user.\n'.repeat(60);
  for (let index = 0; index < EACH; index++) {
    const header = `description: Does ${index}`;
    put(
      `agents/a/agent-${index}.md`,
      `---\nname: agent-${index}\n${header}\ntools: Read, Bash\n---\n${body}`,
    );
    put(`commands/c/command-${index}.md`, `---\n${header}\n---\nDo $ARGUMENTS\n${body}`);
    put(`skills/skill-${index}/SKILL.md`, `---\nname: skill-${index}\n${header}\n---\n${body}`);
    put(`scripts/script-${index}.sh`, 'echo\n');
  }
}
