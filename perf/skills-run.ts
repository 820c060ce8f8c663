/** One process, one measurement: discovers the skills of a folder. Bundled by skills-rows.ts; prints milliseconds. */
import { performance } from 'node:perf_hooks';
import { SkillManager } from '../packages/core/src/skills/manager.js';

void main();

async function main(): Promise<void> {
  const [dir = '', expected = ''] = process.argv.slice(2);
  const started = performance.now();
  const manager = new SkillManager({ roots: () => [{ dir, source: 'user' }] });
  await manager.loadSkills();
  const took = performance.now() - started;
  if (manager.getSkills().length !== Number(expected)) throw new Error('not all skills were found');
  console.log(took);
}
