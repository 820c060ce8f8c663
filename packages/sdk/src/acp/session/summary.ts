/** One line about a session, for lists. */
import { type Config, type ConversationRecord, textOf } from '@gemini-cli/core';

const TITLE_CHARS = 100;

/** What the model works on, else the recorded summary, else the first prompt. Undefined: nothing was said yet. */
export function titleOf(config: Config, record: ConversationRecord | undefined): string | undefined {
  const title = config.getTopic()?.title ?? record?.summary ?? firstPrompt(config);
  const line = title?.replace(/\s+/g, ' ').trim();
  if (!line) return undefined;
  return line.length > TITLE_CHARS ? `${line.slice(0, TITLE_CHARS - 1)}…` : line;
}

function firstPrompt(config: Config): string | undefined {
  const client = config.getGeminiClient();
  if (!client.isInitialized()) return undefined;
  const history = client.getChat().getHistory();
  const first = history.find(({ role, origin }) => role === 'user' && origin === 'prompt');
  // Files that were attached come after the first part.
  return first && textOf(first.parts.slice(0, 1));
}
