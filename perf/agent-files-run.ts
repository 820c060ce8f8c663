/** One process, one measurement: loads the agents of a project. Bundled by agent-file-rows.ts; prints milliseconds. */
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Acknowledgments } from '../packages/core/src/agents/registry/acknowledgments.js';
import { AgentFiles } from '../packages/core/src/agents/registry/agent-files.js';
import { AgentRegistry } from '../packages/core/src/agents/registry/agent-registry.js';

void main();

async function main(): Promise<void> {
  const [root = '', dir = '', expected = ''] = process.argv.slice(2);
  const registry = new AgentRegistry();
  const started = performance.now();
  const files = new AgentFiles({
    registry,
    folders: () => [{ dir: join(root, dir), kind: 'project', root }],
    acknowledgments: new Acknowledgments(join(root, 'acknowledgments', 'agents.json'), root),
    askToEnable: async () => true,
    notice: () => {},
  });
  await files.reload();
  const took = performance.now() - started;
  if (registry.getAllAgents().length !== Number(expected)) throw new Error('not all agents were loaded');
  console.log(took);
}
