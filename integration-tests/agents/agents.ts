/** Agents in files, and a model that answers each agent from its own script. */
import type { RecordedRequest, Script, TestRig } from '@gemini-cli/test-utils/rig';

export function writeAgent(rig: TestRig, name: string, tools = ['read_file', 'grep_search']): void {
  const head = ['---', `name: ${name}`, `description: Does ${name}.`, `tools: [${tools.join(', ')}]`, '---'];
  rig.writeHome(`agents/${name}.md`, `${head.join('\n')}\nYou are the agent ${name}.\n`);
}

/** Whose request it is. */
export function speakerOf({ body }: RecordedRequest): string {
  return /You are the agent ([\w-]+)\./.exec(JSON.stringify(body['systemInstruction']))?.[1] ?? 'main';
}

/** Each speaker's answers in order; without one left, the script fails the test. */
export function scripted(rig: TestRig, scripts: Record<string, Script[]>): void {
  rig.model.otherwise((request) => scripts[speakerOf(request)]?.shift());
}
