/** One call of an agent on a server: its answer as progress and as a result. */
import { withoutOwnMarks, wrapUntrusted } from '../../base/untrusted-context.js';
import type { SubagentProgress } from '../../protocol/tool-display.js';
import { ToolErrorType } from '../../tools/tool-error.js';
import { type ToolResult, toolFailure } from '../../tools/tools.js';
import type { RemoteAgentDefinition, RemoteAgents } from '../types.js';

export interface RemoteRunOptions {
  remote: RemoteAgents | undefined;
  signal: AbortSignal;
  mask(text: string): string;
  onProgress(progress: SubagentProgress): void;
}

/** The end of a growing answer that is shown. */
const MAX_SHOWN = 2_000;

/** @throws when the signal is aborted */
export async function runRemote(
  definition: RemoteAgentDefinition,
  prompt: string,
  { remote, signal, mask, onProgress }: RemoteRunOptions,
): Promise<ToolResult> {
  const { name: agentName } = definition;
  if (!remote)
    return toolFailure(
      `The remote agent "${agentName}" cannot be called here.`,
      ToolErrorType.EXECUTION_FAILED,
    );
  const show = (text: string, state: SubagentProgress['state']) => {
    const content = mask(text.slice(-MAX_SHOWN));
    const recentActivity = content === '' ? [] : [{ id: 'answer', type: 'thought', content }];
    onProgress({ isSubagentProgress: true, agentName, state, recentActivity });
  };
  show('', 'running');
  const onUpdate = (soFar: string) => show(soFar, 'running');
  const { text, ending, isError } = await remote.invoke(definition, prompt, { signal, onUpdate });
  const shown = joined(text, ending);
  show(shown, isError ? 'error' : 'completed');
  const forModel = joined(text && wrapUntrusted(withoutOwnMarks(text)), ending);
  if (isError) return toolFailure(forModel, ToolErrorType.EXECUTION_FAILED, mask(shown));
  return { llmContent: forModel, returnDisplay: mask(shown) };
}

function joined(text: string, ending: string | undefined): string {
  return [text, ending].filter(Boolean).join('\n\n');
}
