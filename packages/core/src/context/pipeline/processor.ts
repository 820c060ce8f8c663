/** The interface of a pipeline step, which keeps a node or replaces it by a shorter one, and the loop that runs the steps. */
import type { Part } from '../../protocol/messages.js';
import type { ContextGraph, ContextNode, ContextTurn, NodeType } from '../graph/context-graph.js';
import { textOfResponse, withResponseText } from '../masking/tool-response-text.js';

export interface NodeAge {
  /** The user has sent a prompt since. */
  isBeforeLatestPrompt: boolean;
  /** The model has seen it only once, or not yet. */
  isLatestResponse: boolean;
  /** Older than the part of the conversation that stays unchanged. */
  isAged: boolean;
}

export interface ProcessContext {
  signal: AbortSignal;
  promptId: string;
  model: string;
}

export interface NodeProcessor {
  process(node: ContextNode, age: NodeAge, context: ProcessContext): ContextNode | Promise<ContextNode>;
}

/** The same graph when no processor changed anything. */
export async function runProcessors(
  graph: ContextGraph,
  processors: readonly NodeProcessor[],
  agedUntil: number,
  context: ProcessContext,
): Promise<ContextGraph> {
  const { turns } = graph;
  const latestPrompt = turns.findLastIndex(({ message }) => message.origin === 'prompt');
  const latestResponse = turns.findLastIndex(({ message }) => message.origin === 'tool_response');
  let changed: ContextTurn[] | undefined;
  for (const [index, turn] of turns.entries()) {
    const age: NodeAge = {
      isBeforeLatestPrompt: index < latestPrompt,
      isLatestResponse: index === latestResponse,
      isAged: index < agedUntil,
    };
    let nodes: ContextNode[] | undefined;
    for (const [position, original] of turn.nodes.entries()) {
      let node = original;
      for (const processor of processors) {
        const next = processor.process(node, age, context);
        node = next instanceof Promise ? await next : next;
      }
      if (node !== original) nodes = (nodes ?? [...turn.nodes]).with(position, node);
    }
    if (!nodes) continue;
    changed ??= [...turns];
    changed[index] = { ...turn, nodes };
  }
  return changed ? { turns: changed } : graph;
}

export function replaceNode(node: ContextNode, payload: Part, type: NodeType = node.type): ContextNode {
  return { ...node, id: `${node.id}_short`, payload, type, replacesId: node.id };
}

/** The text of a part that can be shortened; empty if there is none. */
export function textOfPart(part: Part): string {
  if (part.functionResponse) return textOfResponse(part.functionResponse);
  return part.thought ? '' : (part.text ?? '');
}

export function withText(part: Part, text: string): Part {
  return part.functionResponse ? withResponseText(part, text) : { ...part, text };
}
