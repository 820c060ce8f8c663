/** Content blocks of a prompt, as parts of a message. */
import { fileURLToPath } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { Part } from '@gemini-cli/core';

/** Reads the file that a link names. */
export type ReadLink = (path: string) => Promise<Part[]>;

export async function toParts(blocks: readonly ContentBlock[], readLink: ReadLink): Promise<Part[]> {
  const parts: Part[] = [];
  const attached: Part[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case 'text':
        parts.push({ text: block.text });
        break;
      case 'image':
      case 'audio':
        parts.push({ inlineData: { mimeType: block.mimeType, data: block.data } });
        break;
      case 'resource_link': {
        const path = pathOf(block.uri);
        parts.push({ text: `@${path ?? block.uri}` });
        if (path !== undefined) attached.push(...(await readLink(path)));
        break;
      }
      case 'resource': {
        const { resource } = block;
        parts.push({ text: `@${pathOf(resource.uri) ?? resource.uri}` });
        if ('text' in resource) attached.push({ text: embedded(resource.uri, resource.text) });
        else attached.push(blobPart(resource));
        break;
      }
    }
  }
  return [...parts, ...attached];
}

export interface CommandPrompt {
  line: string;
  /** What came with it: files, pictures. */
  attached: ContentBlock[];
}

/** A prompt whose text begins with `/` or `$`. */
export function commandPrompt(blocks: readonly ContentBlock[]): CommandPrompt | undefined {
  const text = blocks
    .map((block) => (block.type === 'text' ? block.text : ' '))
    .join('')
    .trim();
  if (!/^[/$]\S/.test(text)) return undefined;
  return { line: `/${text.slice(1)}`, attached: blocks.filter(({ type }) => type !== 'text') };
}

/** What the user typed. */
export function typedText(blocks: readonly ContentBlock[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** The path of a `file:` address; other addresses have none. */
function pathOf(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  try {
    const url = new URL(uri);
    url.search = '';
    url.hash = '';
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

function embedded(uri: string, text: string): string {
  const path = pathOf(uri);
  const name = path === undefined ? uri : `${path}${linesOf(uri)}`;
  return `\n--- Content of @${name} ---\n${text}\n--- End of content ---`;
}

/** Editors name the lines of a selection at the end of its address. */
function linesOf(uri: string): string {
  const [, first, last = first] = /#L(\d+)(?:[:-]L?(\d+))?$/.exec(uri) ?? [];
  if (first === undefined) return '';
  return first === last ? `, line ${first}` : `, lines ${first} to ${last}`;
}

function blobPart({ blob, mimeType }: { blob: string; mimeType?: string | null }): Part {
  return { inlineData: { mimeType: mimeType ?? 'application/octet-stream', data: blob } };
}
