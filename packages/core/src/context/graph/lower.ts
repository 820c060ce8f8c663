/** Turns a graph back into a history without loss: unchanged turns are the same message objects. */
import type { Message } from '../../protocol/messages.js';
import type { ContextGraph, ContextTurn } from './context-graph.js';

export function lowerGraph(graph: ContextGraph): Message[] {
  return graph.turns.map(lowerTurn);
}

function lowerTurn({ message, nodes }: ContextTurn): Message {
  const isUntouched =
    nodes.length === message.parts.length &&
    nodes.every((node, index) => node.payload === message.parts[index]);
  return isUntouched ? message : { ...message, parts: nodes.map(({ payload }) => payload) };
}
