/** Draws Markdown as terminal lines. Text that has grown costs only its new end. */
import type { Look } from '../look.js';
import { BlockCache } from './block-cache.js';
import { MarkdownDocument } from './document.js';
import { sourceLines } from './source.js';

/** Several texts may grow at once: the answer, its thoughts, a sub-agent's report. */
const KEPT = 4;

interface Memory {
  documents: MarkdownDocument[];
  cache: BlockCache;
}
const memories = new WeakMap<Look, Memory>();

/** The lines are cached: callers must not change them. */
export function markdownLines(text: string, look: Look): readonly string[] {
  if (!look.renderMarkdown) return sourceLines(text, look);
  return documentFor(text, look).draw(text);
}

function documentFor(text: string, look: Look): MarkdownDocument {
  let memory = memories.get(look);
  if (!memory) {
    memory = { documents: [], cache: new BlockCache() };
    memories.set(look, memory);
  }
  const { documents, cache } = memory;
  const index = documents.findIndex((document) => document.continues(text));
  const [document = new MarkdownDocument(look, cache)] = index < 0 ? [] : documents.splice(index, 1);
  documents.unshift(document);
  if (documents.length > KEPT) documents.length = KEPT;
  return document;
}
