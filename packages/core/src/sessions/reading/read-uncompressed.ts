/** Restores messages for `/uncompress` when only the file still has them: after a resume, or several compressions. */
import type { ConversationRecord } from '../../protocol/session-record.js';
import { newest, withSession } from './read-session.js';
import { RecordedLevels } from './recorded-levels.js';

/** Undefined when nothing was compressed. @throws SessionError UNREADABLE_SESSION */
export function readUncompressed(
  path: string,
  maxBytes: number,
): Pick<ConversationRecord, 'messages' | 'omittedMessages'> | undefined {
  const levels = new RecordedLevels();
  return withSession(
    path,
    (reader) => {
      const entries = levels.undone(reader.index.entries);
      if (!entries) return undefined;
      const wanted = newest(entries, maxBytes);
      const omitted = entries.length - wanted.length;
      return { messages: reader.messages(wanted), ...(omitted > 0 && { omittedMessages: omitted }) };
    },
    { levels },
  );
}
