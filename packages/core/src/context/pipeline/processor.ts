/** One step of the pipeline: looks at a node and leaves it, or puts a shorter one in its place. */
import type { Part } from '../../protocol/messages.js';
import type { ContextGraph, ContextNode, ContextTurn, NodeType } from '../graph/context-graph.js';
import { textOfResponse, withResponseText } from '../masking/tool-response-text.js';

export interface NodePlace {
  /** The user has spoken since. */
  isBeforeLatestPrompt: boolean;
  /** The model has had only one chance to read it. */
  isLatestResponse: boolean;
  /** Older than the part of the conversation that stays as it is. */
  isAged: boolean;
}

export interface ProcessContext {
  signal: AbortSignal;
  promptId: string;
  model: string;
}

export interface NodeProcessor {
  process(node: ContextNode, place: NodePlace, context: ProcessContext): ContextNode | Promise<ContextNode>;
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
    const place: NodePlace = {
      isBeforeLatestPrompt: index < latestPrompt,
      isLatestResponse: index === latestResponse,
      isAged: index < agedUntil,
    };
    let nodes: ContextNode[] | undefined;
    for (const [position, original] of turn.nodes.entries()) {
      let node = original;
      for (const processor of processors) {
        const next = processor.process(node, place, context);
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

/** What can be shortened of a part; empty where nothing can. */
export function textOfPart(part: Part): string {
  if (part.functionResponse) return textOfResponse(part.functionResponse);
  return part.thought ? '' : (part.text ?? '');
}

export function withText(part: Part, text: string): Part {
  return part.functionResponse ? withResponseText(part, text) : { ...part, text };
}
