/** The conversation on disk: what is said is recorded as it happens, and an earlier session can be gone on with. */
import type { AgentSession } from '../agent/agent-session.js';
import type { GeminiClient } from '../agent/gemini-client.js';
import { systemClock } from '../platform/clock.js';
import { createLog } from '../platform/log.js';
import { randomUuid } from '../platform/random.js';
import type { Redactor } from '../platform/redact.js';
import type { Storage } from '../platform/storage.js';
import type { Message } from '../protocol/messages.js';
import { ChatRecordingService } from '../sessions/chat-recording-service.js';
import { isCleanUpDue } from '../sessions/clean-up-marker.js';
import { projectHashOf } from '../sessions/project-hash.js';
import { SessionRecorder } from '../sessions/session-recorder.js';
import type { Config } from './config.js';

const log = createLog('sessions');

export interface RecordingSurroundings {
  targetDir: string;
  storage: Storage;
  redactor: Redactor;
  conversation: () => readonly Message[];
}

export interface RecordingServices {
  service: ChatRecordingService;
  /** Watches a session; with an earlier one to resume, its history comes first. */
  attach(session: AgentSession, client: GeminiClient): Promise<void>;
}

/** Undefined: nothing is recorded. Before anything uses the session's id: a session in use goes on under another. */
export function composeRecording(
  config: Config,
  { targetDir, storage, redactor, conversation }: RecordingSurroundings,
): RecordingServices | undefined {
  const { sessions, onNotice } = config.parameters;
  if (!sessions) return undefined;
  const options = {
    chatsDir: storage.getChatsDir(sessions.storageDir),
    sessionId: config.getSessionId(),
    projectHash: () => projectHashOf(targetDir),
    now: systemClock.now,
    redact: <T>(value: T) => redactor.redactValue(value),
    warn: (message: string) => onNotice?.(message),
    onFork: (to: string) => config.setSessionId(to),
  };
  const service = sessions.resume
    ? ChatRecordingService.resume(sessions.resume, options)
    : new ChatRecordingService(options);
  const recorder = new SessionRecorder({
    service,
    history: conversation,
    now: systemClock.now,
    newId: randomUuid,
  });
  return {
    service,
    attach: async (session, client) => {
      if (sessions.resume) {
        await client.initialize();
        await restore(sessions.resume, { client, recorder, tell: options.warn });
      }
      session.subscribe((event) => recorder.observe(event));
      if (isCleanUpDue(options.chatsDir, systemClock.now())) cleanUpOnce(session, config, storage);
    },
  };
}

/** While the first request waits for the model. */
function cleanUpOnce(session: AgentSession, config: Config, storage: Storage): void {
  const stop = session.subscribe(({ type }) => {
    if (type !== 'model_turn_started') return;
    stop();
    setImmediate(() => {
      cleanUp(config, storage).catch((error: unknown) => log.debug('clean-up failed', error));
    });
  });
}

async function cleanUp(config: Config, storage: Storage): Promise<void> {
  const { cleanUpSessions } = await import('../sessions/clean-up.js');
  const { sessionPlaces } = await import('../sessions/session-places.js');
  const { sessions, onNotice } = config.parameters;
  await cleanUpSessions({
    places: sessionPlaces(storage, sessions?.storageDir),
    settings: sessions?.retention ?? {},
    maxSessions: sessions?.maxSessions,
    currentSessionId: config.getSessionId(),
    now: systemClock.now,
    warn: (message) => onNotice?.(message),
  });
}

interface Restoring {
  client: GeminiClient;
  recorder: SessionRecorder;
  tell: (message: string) => void;
}

async function restore(path: string, { client, recorder, tell }: Restoring): Promise<void> {
  const { readSession, RESUME_MAX_BYTES } = await import('../sessions/read-session.js');
  const { toMessages } = await import('../sessions/convert.js');
  const record = readSession(path, { maxBytes: RESUME_MAX_BYTES });
  for (const problem of record.problems ?? []) tell(problem);
  const ids = new Map<Message, string>();
  const chat = client.getChat();
  chat.setHistory([...chat.getHistory(), ...toMessages(record, ids)]);
  recorder.adopt(chat.getHistory(), ids);
}
