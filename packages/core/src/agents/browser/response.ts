/** What a browser tool answers: its own words, and what comes from pages, marked as such. */
import { wrapUntrusted } from '../../base/untrusted-context.js';
import type { Part } from '../../protocol/messages.js';
import type { ToolResult } from '../../tools/tools.js';

export const SNAPSHOT_HEADING = '## Latest page snapshot';

export interface BrowserResponse {
  /** Our own words. */
  text: string;
  /** A section with text of the page, under a heading. */
  section?: { heading: string; content: string };
  /** Adds the list of pages. */
  pages?: boolean;
  /** Adds a new snapshot of the selected page. */
  snapshot?: boolean;
  image?: { mimeType: string; data: string };
}

/** The parts of a response, rendered. */
export interface RenderedParts {
  text: string;
  section?: { heading: string; content: string };
  pages?: string;
  dialog?: string;
  snapshot?: string;
  image?: BrowserResponse['image'];
}

export function toolResultOf({ text, section, pages, dialog, snapshot, image }: RenderedParts): ToolResult {
  const blocks = [
    text,
    ...(section ? [`## ${section.heading}\n${wrapUntrusted(section.content)}`] : []),
    ...(dialog === undefined
      ? []
      : [`# Open dialog\n${wrapUntrusted(dialog)}\nCall handle_dialog to handle it before continuing.`]),
    ...(pages === undefined ? [] : [`## Pages\n${wrapUntrusted(pages)}`]),
    ...(snapshot === undefined ? [] : [`${SNAPSHOT_HEADING}\n${wrapUntrusted(snapshot)}`]),
  ];
  const words = blocks.filter(Boolean).join('\n');
  const content: Part[] = [{ text: words }, ...(image ? [{ inlineData: image }] : [])];
  return { llmContent: image ? content : words, returnDisplay: text };
}
