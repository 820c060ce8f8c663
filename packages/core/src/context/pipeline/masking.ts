/** Moves large tool outputs to files as soon as the model has read them. */
import type { ContextNode } from '../graph/context-graph.js';
import { isMaskable, maskPart } from '../masking/tool-output-mask.js';
import type { OutputStore } from '../output-store.js';
import type { TokenEstimator } from '../size/token-estimate.js';
import { type NodeAge, type NodeProcessor, replaceNode } from './processor.js';

export class ToolMaskingProcessor implements NodeProcessor {
  constructor(
    private readonly above: number,
    private readonly estimator: TokenEstimator,
    private readonly store: OutputStore,
  ) {}

  process(node: ContextNode, age: NodeAge): ContextNode {
    if (age.isLatestResponse || node.type === 'MASKED_TOOL' || !isMaskable(node.payload)) return node;
    if (this.estimator.part(node.payload) <= this.above) return node;
    const masked = maskPart(node.payload, this.store);
    return masked ? replaceNode(node, masked, 'MASKED_TOOL') : node;
  }
}
