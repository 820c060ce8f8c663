/** The recording of the conversation on disk, and resuming an earlier session. */
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { AgentSession } from '../../agent/agent-session.js';
import type { GeminiClient } from '../../agent/gemini-client.js';
import { visibleName } from '../../base/visible-text.js';
import { systemClock } from '../../platform/clock.js';
import { isDirectory } from '../../platform/files/try-read.js';
import { createLog } from '../../platform/log.js';
import { randomUuid } from '../../platform/random.js';
import type { Redactor } from '../../platform/redaction/redact.js';
import type { Storage } from '../../platform/storage/storage.js';
import type { Message } from '../../protocol/messages.js';
import type { ConversationRecord } from '../../protocol/session-record.js';
import { isCleanUpDue } from '../../sessions/cleaning/clean-up-marker.js';
import { projectHashOf } from '../../sessions/finding/project-hash.js';
import { withAgentReports } from '../../sessions/reading/interrupted-agents.js';
import { RESUME_MAX_BYTES, readSession, type SessionReader } from '../../sessions/reading/read-session.js';
import { ChatRecordingService } from '../../sessions/recording/chat-recording-service.js';
import { SessionRecorder } from '../../sessions/recording/session-recorder.js';
import { ScratchpadKeeper } from '../../sessions/summaries/scratchpad-keeper.js';
import type { Project } from '../project.js';

const log = createLog('sessions');

const CLEAN_UP_WAIT_MS = 1_000;

export interface RecordingParts {
  project: Project;
  targetDir: string;
  storage: Storage;
  redactor: Redactor;
  conversation: () => readonly Message[];
  addDirectory: (path: string) => void;
}

/** Index of the first message that can still be sent. */
type FirstThatFits = (messages: readonly Message[]) => number;

export interface RecordingServices {
  service: ChatRecordingService;
  recorder: SessionRecorder;
  /** Records a session; a resumed one is loaded first. */
  attach(session: AgentSession, client: GeminiClient, firstThatFits: FirstThatFits): Promise<void>;
  /** The conversation before its last compression, with later messages; undefined without one. */
  beforeCompression(): Promise<readonly Message[] | undefined>;
  /** The session is over. Waits for a clean-up that has begun, a moment at most. */
  close(): Promise<void>;
}

/** Undefined: nothing is recorded. Called before the session id is used: a session in use continues under a new id. */
export function composeRecording(parts: RecordingParts): RecordingServices | undefined {
  const { project, targetDir, storage, redactor, conversation, addDirectory } = parts;
  const { sessions } = project.parameters;
  if (!sessions) return undefined;
  const options = {
    chatsDir: storage.getChatsDir(sessions.storageDir),
    sessionId: project.sessionId,
    projectHash: () => projectHashOf(targetDir),
    now: systemClock.now,
    redact: <T>(value: T) => redactor.redactValue(value),
    warn: project.notice,
    onFork: (sessionId: string) => project.change({ sessionId }),
    ...(sessions.parent && {
      parentSessionId: sessions.parent.sessionId,
      agentName: sessions.parent.agentName,
    }),
  };
  let earlier: ConversationRecord | undefined;
  // The file is read once, for the recording and for the conversation.
  const onFound = (session: SessionReader) => {
    earlier = session.record({ maxBytes: RESUME_MAX_BYTES });
  };
  const service = sessions.resume
    ? ChatRecordingService.resume(sessions.resume, { ...options, onFound })
    : new ChatRecordingService(options);
  const recorder = new SessionRecorder({
    service,
    history: conversation,
    now: systemClock.now,
    newId: randomUuid,
  });
  const scratchpad = new ScratchpadKeeper(service);
  const subscriptions: (() => void)[] = [];
  let cleaning: Promise<void> | undefined;
  return {
    service,
    recorder,
    attach: async (session, client, firstThatFits) => {
      if (sessions.resume) {
        earlier ??= readSession(sessions.resume, { maxBytes: RESUME_MAX_BYTES });
        // First, because the conversation begins with a description of the workspace.
        addFolders(earlier.directories ?? [], addDirectory, options.warn);
        earlier = await withAgentReports(earlier, transcriptsOf(sessions.resume, earlier.sessionId));
        await client.initialize();
        await restore(earlier, { client, recorder, firstThatFits, tell: options.warn });
        earlier = undefined;
      }
      subscriptions.push(
        session.subscribe((event) => recorder.observe(event), { content: false }),
        session.subscribe((event) => scratchpad.observe(event), { content: false }),
      );
      if (isCleanUpDue(options.chatsDir, systemClock.now())) {
        const clean = () => {
          cleaning = nextTurn().then(() => cleanUp(project, storage));
        };
        subscriptions.push(onFirstRequest(session, clean));
      }
    },
    beforeCompression: () => readBack(service, recorder),
    close: async () => {
      for (const stop of subscriptions.splice(0)) stop();
      scratchpad.write();
      service.close();
      await Promise.race([cleaning, delay(CLEAN_UP_WAIT_MS, undefined, { ref: false })]);
    },
  };
}

/** Of the sub-agents that worked for a session. */
function transcriptsOf(path: string, sessionId: string): () => Promise<ConversationRecord[]> {
  return async () => {
    const { readTranscripts } = await import('../../sessions/finding/agent-transcripts.js');
    return readTranscripts(path, sessionId);
  };
}

/** Runs while the session waits for the model, so that it costs the user no time. */
function onFirstRequest(session: AgentSession, work: () => void): () => void {
  const stop = session.subscribe(
    ({ type }) => {
      if (type !== 'model_turn_started') return;
      stop();
      work();
    },
    { content: false },
  );
  return stop;
}

/** Never rejects: the next start tries again. */
async function cleanUp(project: Project, storage: Storage): Promise<void> {
  try {
    const { cleanUpSessions } = await import('../../sessions/cleaning/clean-up.js');
    const { sessionPlaces } = await import('../../sessions/finding/session-places.js');
    const { sessions, sessionRetention } = project.parameters;
    await cleanUpSessions({
      places: sessionPlaces(storage, sessions?.storageDir, project.environment.home),
      settings: sessionRetention,
      maxSessions: sessions?.maxSessions,
      currentSessionId: project.sessionId,
      now: systemClock.now,
      warn: project.notice,
    });
  } catch (error) {
    log.debug('clean-up failed', error);
  }
}

async function readBack(
  service: ChatRecordingService,
  recorder: SessionRecorder,
): Promise<readonly Message[] | undefined> {
  recorder.catchUp();
  const path = service.conversationFile;
  // A file that could not be written lacks the newest messages.
  if (!path || !service.isRecording) return undefined;
  const { readUncompressed } = await import('../../sessions/reading/read-uncompressed.js');
  const { toMessages } = await import('../../sessions/reading/convert.js');
  try {
    const record = readUncompressed(path, RESUME_MAX_BYTES);
    if (!record) return undefined;
    const ids = new Map<Message, string>();
    const messages = toMessages(record, ids);
    recorder.recognise(ids);
    return messages;
  } catch (error) {
    log.warn('nothing read back', error);
    return undefined;
  }
}

/** Folders the user has added to the session. */
function addFolders(
  paths: readonly string[],
  add: (path: string) => void,
  tell: (message: string) => void,
): void {
  for (const path of paths) {
    if (isDirectory(path)) add(path);
    else
      tell(`The folder ${visibleName(path)} was part of this session's workspace and cannot be opened now.`);
  }
}

interface Restoring {
  client: GeminiClient;
  recorder: SessionRecorder;
  firstThatFits: FirstThatFits;
  tell: (message: string) => void;
}

async function restore(
  record: ConversationRecord,
  { client, recorder, firstThatFits, tell }: Restoring,
): Promise<void> {
  const { omissionNote, toMessages } = await import('../../sessions/reading/convert.js');
  for (const problem of record.problems ?? []) tell(problem);
  const ids = new Map<Message, string>();
  const chat = client.getChat();
  const messages = toMessages({ messages: record.messages }, ids);
  // A summary replaces everything before it, so it is always kept.
  const summaries = messages.findIndex(({ origin }) => origin !== 'summary');
  const said = messages.splice(Math.max(0, summaries));
  const first = firstThatFits(said);
  const omitted = (record.omittedMessages ?? 0) + first;
  const note = omitted > 0 ? omissionNote(omitted) : [];
  chat.setHistory([...chat.getHistory(), ...messages, ...note, ...said.slice(first)]);
  recorder.adopt(chat.getHistory(), ids);
}
