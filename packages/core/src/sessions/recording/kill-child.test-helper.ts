/** A program for tests that kill it or fill its disk: records a session, message after message. */
import { readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isSessionFileName } from '../session-names.js';
import { ChatRecordingService, type RecordingOptions } from './chat-recording-service.js';

/** Sizes from some bytes to several pages, so that a write may be cut. */
function bodyOf(number: number): string {
  return `${number} ${'é漢x'.repeat(((number * 7_919) % 50) ** 2 * 4)}`;
}

function serviceFor(chatsDir: string): ChatRecordingService {
  const options: RecordingOptions = {
    chatsDir,
    sessionId: 'killed-session',
    projectHash: () => 'hash',
    now: Date.now,
    redact: (value) => value,
    warn: (message) => writeSync(1, `warning ${JSON.stringify(message)}\n`),
  };
  const [earlier] = names(chatsDir);
  return earlier
    ? ChatRecordingService.resume(join(chatsDir, earlier), options)
    : new ChatRecordingService(options);
}

function names(chatsDir: string): string[] {
  try {
    return readdirSync(chatsDir).filter(isSessionFileName);
  } catch {
    return [];
  }
}

/** Lines so long that the pipe is soon full, so that the program stops when the test stops reading. */
function say(text: string): void {
  writeSync(1, `${text.padEnd(500)}\n`);
}

/** Prints what is recorded: the test counts these lines instead of waiting for a time. */
function record(chatsDir: string, first: number, rounds: number): void {
  const service = serviceFor(chatsDir);
  let number = first;
  for (let round = 0; round < rounds; round++) {
    service.recordUser(`prompt ${bodyOf(number)}`);
    say(`said ${number++}`);
    const id = `call-${number}`;
    service.recordAnswer({
      parts: [{ text: bodyOf(number) }, { functionCall: { id, name: 'tool', args: {} } }],
    });
    say(`said ${number++}`);
    const result = [{ functionResponse: { id, name: 'tool', response: { output: bodyOf(number) } } }];
    service.recordToolCalls([{ id, status: 'success', result }]);
    say(`result ${id}`);
    service.recordAnswer({ parts: [{ text: bodyOf(number) }] });
    say(`said ${number++}`);
    service.recordNote('info', `note ${number}`);
    say(`said ${number++}`);
    service.endTurn();
  }
  writeSync(1, `end ${service.isRecording}\n`);
}

const [word, chatsDir, first, rounds] = process.argv.slice(2);
if (word === 'record' && chatsDir) record(chatsDir, Number(first), Number(rounds));
