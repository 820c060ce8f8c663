// Several agents for one text: node pipeline.mjs "subject". An editor plans; a researcher reads, a writer writes.
import { GeminiCliAgent, subagent, tool, z } from '@gemini-cli/sdk';

const researcher = subagent({
  name: 'researcher',
  description: 'Finds facts in the files of this folder.',
  instructions: (task) => `Find facts for this task, with the names of the files: ${task}`,
  tools: ['read_file', 'grep_search', 'list_directory', 'glob'],
  outputSchema: z.object({ facts: z.array(z.string()), sources: z.array(z.string()) }),
});

const words = tool(
  {
    name: 'count_words',
    description: 'Counts words.',
    kind: 'read',
    inputSchema: z.object({ text: z.string() }),
  },
  ({ text }) => text.split(/\s+/).filter(Boolean).length,
);

// A whole agent, with tools of its own and nothing of this folder's settings.
const writer = subagent({
  name: 'writer',
  description: 'Writes a paragraph from facts. Give it all the facts.',
  agent: new GeminiCliAgent({
    trust: true,
    settings: 'none',
    instructions: 'Write plainly, at most 80 words.',
    tools: [words],
  }),
});

const editor = new GeminiCliAgent({
  trust: true,
  instructions:
    'You are an editor. Let the researcher find facts, then the writer write. Answer with the text alone.',
  subagents: [researcher, writer],
});

for await (const event of editor.sendStream(process.argv[2] ?? 'this project')) {
  if (event.type === 'subagent_activity') {
    const { agentName, type, data } = event.value;
    if (type === 'TOOL_CALL_START') console.error(`${agentName}: ${data.name}`);
  }
  if (event.type === 'content') process.stdout.write(event.value);
  if (event.type === 'error') {
    console.error(event.value.error.message);
    process.exitCode = 1;
  }
}
console.log();
await editor.dispose();
