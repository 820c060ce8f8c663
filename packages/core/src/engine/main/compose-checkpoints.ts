/** Checkpoints, saved conversations and rewinding for the live session; loaded on first use. */
import { join } from 'node:path';
import type { AgentSession } from '../../agent/agent-session.js';
import type { GeminiClient } from '../../agent/gemini-client.js';
import { Chats } from '../../agent/going-back/chats.js';
import { type CheckpointSession, SessionCheckpoints } from '../../agent/going-back/checkpoints.js';
import { Rewind } from '../../agent/going-back/rewind.js';
import type { ModelChoice } from '../../agent/model-choice.js';
import { messageOf } from '../../base/errors.js';
import { visibleName } from '../../base/visible-text.js';
import { systemClock } from '../../platform/clock.js';
import type { Environment } from '../../platform/environment.js';
import { randomUuid } from '../../platform/random.js';
import type { Redactor } from '../../platform/redaction/redact.js';
import type { SnapshotService } from '../../platform/snapshots/service.js';
import type { Storage } from '../../platform/storage/storage.js';
import type { PolicyEngine } from '../../policy/policy-engine.js';
import { ApprovalMode } from '../../protocol/confirmation.js';
import type { Message } from '../../protocol/messages.js';
import type { MessageRecord } from '../../protocol/session-record.js';
import { agentStateIn } from '../../sessions/checkpoints/agent-state.js';
import { ChatCheckpointStore } from '../../sessions/checkpoints/chat-checkpoints.js';
import type { AgentState } from '../../sessions/checkpoints/format.js';
import { checkpointPlaces } from '../../sessions/checkpoints/places.js';
import { CheckpointStore } from '../../sessions/checkpoints/store.js';
import { sessionPlaces } from '../../sessions/finding/session-places.js';
import { RESUME_MAX_BYTES, readSession } from '../../sessions/reading/read-session.js';
import type { TelemetryRecorder } from '../../telemetry/record.js';
import { ALWAYS_SKIPPED, type FileDiscoveryService } from '../../workspace/file-discovery.js';
import type { Project } from '../project.js';
import type { RecordingServices } from './compose-recording.js';

export interface CheckpointServices {
  /** `/checkpoint`, `/restore`. */
  checkpoints: SessionCheckpoints;
  /** `/chat`. */
  chats: Chats;
  /** `/rewind`. */
  rewind: Rewind;
}

export interface CheckpointParts {
  project: Project;
  environment: Environment;
  policy: PolicyEngine;
  choice: Pick<ModelChoice, 'model'>;
  useModel: (name: string) => Promise<void>;
  authType: () => string | undefined;
  /** Null: the path may be written. */
  mayWrite: (path: string) => string | null;
  client: GeminiClient;
  session: AgentSession;
  storage: Storage;
  redactor: Redactor;
  fileService: FileDiscoveryService;
  recording: RecordingServices | undefined;
  recorder: TelemetryRecorder;
  openSnapshots?: () => Promise<SnapshotService>;
}

/** The newest part of the recording: enough for every turn that is still in the conversation. */
const MAX_RECORDED_BYTES = 64 * 1024 * 1024;

export function composeCheckpoints(parts: CheckpointParts): CheckpointServices {
  const { client, session, storage, redactor, fileService, recording, openSnapshots } = parts;
  const { project, environment, policy, choice } = parts;
  const root = storage.getProjectRoot();
  const history = () => (client.isInitialized() ? client.getChat().getHistory() : []);
  const isIgnored = (path: string, isFolder = false) =>
    isFolder ? fileService.shouldIgnoreDirectory(path) : fileService.shouldIgnoreFile(path);
  const shared = {
    root,
    now: systemClock.now,
    newId: randomUuid,
    redact: <T>(value: T) => redactor.redactValue(value),
    isBusy: () => session.isBusy,
    sessionId: () => project.sessionId,
    history,
    ...(openSnapshots && { openSnapshots }),
  };
  const live: CheckpointSession = {
    ...shared,
    initialize: () => client.initialize(),
    setHistory: (messages) => {
      client.getChat().setHistory(messages);
      recording?.recorder.catchUp();
    },
    records: () => recordsOf(recording, RESUME_MAX_BYTES),
    idOf: (message) => recording?.recorder.idOf(message),
    agentState: (messages) => agentStateIn(messages, { mode: policy.getApprovalMode(), model: choice.model }),
    applyState: (state) => applyState(parts, state),
    isIgnored,
    shadow: {
      gitDir: join(storage.getHistoryDir(), '.git'),
      root,
      variables: environment.variables,
      isIgnored,
      files: async () => {
        const found = await fileService.findFiles({
          roots: [root],
          include: ['**/*'],
          exclude: ALWAYS_SKIPPED,
        });
        return found.files;
      },
    },
  };
  const places = sessionPlaces(storage, project.parameters.sessions?.storageDir, environment.home);
  const checkpoints = new SessionCheckpoints(new CheckpointStore(checkpointPlaces(places)), live);
  return {
    checkpoints,
    chats: new Chats(
      new ChatCheckpointStore({ directory: storage.getProjectTempDir(), redact: shared.redact }),
      {
        ...shared,
        authType: parts.authType,
        continueFrom: (messages) => checkpoints.continueFrom(messages),
      },
    ),
    rewind: new Rewind({
      ...shared,
      setHistory: (messages) => client.getChat().setHistory(messages),
      mayWrite: parts.mayWrite,
      telemetry: parts.recorder,
      ...(recording && { recording: rewindRecording(recording) }),
    }),
  };
}

/** From the strictest mode to the loosest. */
const MODES: readonly string[] = [
  ApprovalMode.PLAN,
  ApprovalMode.DEFAULT,
  ApprovalMode.AUTO_EDIT,
  ApprovalMode.YOLO,
];

/** A file grants no permission: the mode may become stricter, never looser. */
async function applyState(
  { policy, choice, useModel, project }: CheckpointParts,
  { mode = '', model }: AgentState,
): Promise<void> {
  const wanted = MODES.indexOf(mode);
  if (wanted >= 0 && wanted < MODES.indexOf(policy.getApprovalMode())) {
    policy.setApprovalMode(mode as ApprovalMode);
  }
  if (model === undefined || model === choice.model) return;
  try {
    await useModel(model);
  } catch (error) {
    const notice = `The model of the checkpoint, ${visibleName(model)}, cannot be used: ${messageOf(error)}`;
    project.notice(notice);
  }
}

function rewindRecording(recording: RecordingServices) {
  const { recorder, service } = recording;
  return {
    idOf: (message: Message) => recorder.idOf(message),
    records: () => recordsOf(recording, MAX_RECORDED_BYTES) ?? [],
    rewindTo: (message: Message) => void recorder.rewindTo(message),
    replace: (messages: readonly Message[], records: readonly MessageRecord[]) => {
      recorder.adopt(messages, new Map());
      service.replaceHistory(records);
    },
  };
}

/** From disk, with what the engine does not keep: displays, thoughts, the typed text. */
function recordsOf(recording: RecordingServices | undefined, maxBytes: number): MessageRecord[] | undefined {
  const { conversationFile, isRecording } = recording?.service ?? {};
  if (!conversationFile || !isRecording) return undefined;
  try {
    return readSession(conversationFile, { maxBytes }).messages;
  } catch {
    return undefined;
  }
}
