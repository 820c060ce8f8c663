/** Measures the built program with installed extensions against the same run without any. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from '../packages/test-utils/src/model-script.js';
import { runOnce, type Task } from './measure.js';
import { atMost, type Group, minus, prompt, statOf } from './row.js';
import { makePlace } from './subjects.js';

export const EXTENSION_ROWS: Record<string, Group> = {
  async extensions(bench) {
    const command = bench.subjects.find(({ name }) => name === 'program')?.command ?? [];
    const places = [0, 30, 100].map((count) => ({ count, place: makePlace({ folders: 0 }) }));
    const [none, thirty, hundred] = places.map(({ place }) => place);
    if (!none || !thirty || !hundred) return [];
    try {
      for (const { count, place } of places) writeExtensions(place.home, count);
      const hello: Task = { args: prompt('hello'), replies: [[text('Hello there.')]] };
      const without: number[] = [];
      const unchanged: number[] = [];
      const changed: number[] = [];
      const listed: number[] = [];
      for (let run = -1; run < bench.runs; run++) {
        const base = (await runOnce(command, hello, none)).firstRequest;
        const again = (await runOnce(command, hello, thirty)).firstRequest;
        writeExtensions(thirty.home, 30, `${run}`);
        const after = (await runOnce(command, hello, thirty)).firstRequest;
        const list = (await runOnce(command, { args: ['extensions', 'list'] }, hundred)).wall;
        if (run < 0) continue;
        without.push(base);
        unchanged.push(again);
        changed.push(after);
        listed.push(list);
      }
      const base = statOf(without);
      const added = (times: number[]) => minus(statOf(times), base) ?? base;
      const note = 'spawn to first request, less the same without extensions';
      return [
        {
          name: '30 extensions with 300 files, added',
          unit: 'ms',
          program: added(unchanged),
          ...atMost(25, 'ms'),
          note,
        },
        {
          name: 'the same after a change of all',
          unit: 'ms',
          program: added(changed),
          ...atMost(60, 'ms'),
          note,
        },
        {
          name: 'extensions list, 100 installed',
          unit: 'ms',
          program: statOf(listed),
          ...atMost(150, 'ms'),
          note: 'the whole process',
        },
      ];
    } finally {
      for (const { place } of places) place.remove();
    }
  },
};

/** Ten files each; the hook is for an event that does not happen. */
function writeExtensions(home: string, count: number, version = '0'): void {
  for (let index = 0; index < count; index++) {
    const name = `extension-${index}`;
    const put = (path: string, content: string) => {
      const file = join(home, '.gemini', 'extensions', name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    };
    const header = `description: Does ${index}`;
    put('gemini-extension.json', JSON.stringify({ name, version: `1.0.${version}` }));
    put('GEMINI.md', `Rule ${index} of ${version}.\n`);
    for (const command of ['a', 'b', 'c'])
      put(`commands/${name}/${command}.toml`, `description = "Does it"\nprompt = "Do {{args}}"\n`);
    for (const skill of ['d', 'e'])
      put(`skills/${name}-${skill}/SKILL.md`, `---\nname: ${name}-${skill}\n${header}\n---\nDo it.\n`);
    put(`agents/${name}.md`, `---\nname: ${name}\n${header}\n---\nDo it.\n`);
    put(
      'hooks/hooks.json',
      '{"hooks": {"Notification": [{"hooks": [{"type": "command", "command": "true"}]}]}}',
    );
    put(
      'policies/p.toml',
      `[[rule]]\ntoolName = "mcp_server-${index}_remove"\ndecision = "deny"\npriority = 1\n`,
    );
  }
}
