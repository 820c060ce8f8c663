/** After a compression: restores details of kept messages that only the file has (thoughts, displays). */
import { createLog } from '../../platform/log.js';
import type { MessageRecord, ToolCallRecord } from '../../protocol/session-record.js';
import { type IndexOptions, withSession } from '../reading/read-session.js';
import { RecordedLevels } from '../reading/recorded-levels.js';

const log = createLog('sessions');

/**
 * Returns the records unchanged when the file cannot be read: the conversation matters more than its details.
 * @param from offset before which the file is obsolete, so that a long session is not read whole at each compression
 */
export function withRecordedDetails(
  records: readonly MessageRecord[],
  path: string,
  from: number,
): readonly MessageRecord[] {
  try {
    let recorded = recordedIn(path, records, { from });
    const isComplete = records.every(({ id, origin }) => origin !== undefined || recorded.has(id));
    // Messages that a compression had replaced are among them again.
    if (!isComplete) recorded = recordedIn(path, records, { levels: new RecordedLevels() });
    return records.map((record) => {
      const known = recorded.get(record.id);
      return known ? merged(record, known) : record;
    });
  } catch (error) {
    log.warn('details of kept messages not found', error);
    return records;
  }
}

function recordedIn(
  path: string,
  records: readonly MessageRecord[],
  options: IndexOptions,
): ReadonlyMap<string, MessageRecord> {
  const wanted = new Set(records.map(({ id }) => id));
  return withSession(
    path,
    (reader) => {
      const all = [...(options.levels?.entries() ?? []), ...reader.index.entries];
      const entries = new Map(all.filter(({ id }) => wanted.has(id)).map((entry) => [entry.id, entry]));
      return new Map(reader.messages([...entries.values()]).map((record) => [record.id, record]));
    },
    options,
  );
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
