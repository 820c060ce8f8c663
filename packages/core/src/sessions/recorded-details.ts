/** After a compression: what the file knows of messages that stay, and the engine does not (thoughts, displays). */
import { createLog } from '../platform/log.js';
import type { MessageRecord, ToolCallRecord } from '../protocol/session-record.js';
import { withSession } from './read-session.js';

const log = createLog('sessions');

/** The records as given where the file cannot be read: details are worth less than the conversation. */
export function withRecordedDetails(
  records: readonly MessageRecord[],
  path: string,
): readonly MessageRecord[] {
  try {
    return withSession(path, (reader) => {
      const entries = new Map(reader.index.entries.map((entry) => [entry.id, entry]));
      return records.map((record) => {
        const entry = entries.get(record.id);
        const recorded = entry && reader.message(entry);
        return recorded ? merged(record, recorded) : record;
      });
    });
  } catch (error) {
    log.warn('details of kept messages not found', error);
    return records;
  }
}

function merged(record: MessageRecord, recorded: MessageRecord): MessageRecord {
  const { content, toolCalls } = record;
  return {
    ...recorded,
    content,
    ...(toolCalls && { toolCalls: toolCalls.map((call) => mergedCall(call, recorded.toolCalls)) }),
  };
}

function mergedCall(call: ToolCallRecord, recorded: readonly ToolCallRecord[] = []): ToolCallRecord {
  const found = recorded.find(({ id }) => id === call.id);
  if (!found) return call;
  return { ...found, ...call, timestamp: found.timestamp, status: found.result ? found.status : call.status };
}
