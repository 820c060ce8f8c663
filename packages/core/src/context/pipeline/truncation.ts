/** Shortens old texts that are still too long to their two ends; the whole text goes to a file. */
import { endsOf } from '../../base/cut-text.js';
import type { ContextNode } from '../graph/context-graph.js';
import type { OutputStore } from '../output-store.js';
import type { TokenEstimator } from '../size/token-estimate.js';
import { type NodeAge, type NodeProcessor, replaceNode, textOfPart, withText } from './processor.js';

export class NodeTruncationProcessor implements NodeProcessor {
  constructor(
    private readonly above: number,
    private readonly headShare: number,
    private readonly estimator: TokenEstimator,
    private readonly store: OutputStore,
  ) {}

  process(node: ContextNode, age: NodeAge): ContextNode {
    const isExempt =
      node.type === 'SYSTEM_EVENT' || node.type === 'SNAPSHOT' || node.type === 'ROLLING_SUMMARY';
    if (!age.isAged || isExempt) return node;
    const text = textOfPart(node.payload);
    const tokens = text === '' ? 0 : this.estimator.part(node.payload);
    if (tokens <= this.above) return node;
    const path = this.store.save(text, 'truncated', node.id);
    if (path === undefined) return node;
    // 20 % below the limit, because the note needs room and the node must not be truncated again.
    const length = Math.floor(text.length * (this.above / tokens) * 0.8);
    const headLength = Math.floor(length * this.headShare);
    const { head, tail } = endsOf(text, headLength, length - headLength);
    const note = `... [${text.length - head.length - tail.length} characters omitted; all of it is in ${path}] ...`;
    return replaceNode(node, withText(node.payload, `${head}\n${note}\n${tail}`));
  }
}
