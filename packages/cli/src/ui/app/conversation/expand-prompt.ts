/** Turns what was typed into what is sent: files behind `@` are read. */
import { messageOf, type PartListUnion } from '@gemini-cli/core';
import { expandAtReferences } from '../../../input/at-references.js';
import type { AppContext } from '../context/app-context.js';
import type { EngineHost } from './engine-host.js';

/** @throws naming the reference that cannot be read */
export async function expandPrompt(
  text: string,
  context: AppContext,
  { config }: EngineHost,
  signal: AbortSignal,
): Promise<PartListUnion> {
  if (!config || !text.includes('@')) return text;
  try {
    const { parts, notices } = await expandAtReferences({ piped: '', typed: text }, config, {
      signal,
      mask: (content) => config.maskForModel(content),
    });
    for (const notice of notices) context.add({ type: 'info', text: notice });
    return parts;
  } catch (error) {
    throw new Error(`${messageOf(error)} Nothing was sent.`, { cause: error });
  }
}
