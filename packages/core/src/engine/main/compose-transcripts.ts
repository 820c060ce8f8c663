/** Transcripts of sub-agents, beside the session that started them. */
import type { AgentLoop, RunPorts, RunTranscript } from '../../agents/run/ports.js';
import { systemClock } from '../../platform/clock.js';
import { randomUuid } from '../../platform/random.js';
import { projectHashOf } from '../../sessions/finding/project-hash.js';
import { ChatRecordingService } from '../../sessions/recording/chat-recording-service.js';
import { SessionRecorder } from '../../sessions/recording/session-recorder.js';
import type { Engine } from '../engine.js';

export function composeTranscripts({
  project,
  storage,
  redactor,
  targetDir,
}: Engine): RunPorts['transcript'] {
  return ({ agentId, agentName, callId }) => {
    const { sessions } = project.parameters;
    if (!sessions) return undefined;
    const service = new ChatRecordingService({
      chatsDir: storage.getChatsDir(sessions.storageDir),
      sessionId: agentId,
      parentSessionId: project.sessionId,
      agentName,
      ...(callId !== undefined && { parentCallId: callId }),
      projectHash: () => projectHashOf(targetDir),
      now: systemClock.now,
      redact: (value) => redactor.redactValue(value),
      warn: project.notice,
    });
    return transcriptOf(service);
  };
}

function transcriptOf(service: ChatRecordingService): RunTranscript {
  let stop: () => void = () => undefined;
  return {
    service,
    attach: ({ client, session }: AgentLoop) => {
      const recorder = new SessionRecorder({
        service,
        history: () => (client.isInitialized() ? client.getChat().getHistory() : []),
        now: systemClock.now,
        newId: randomUuid,
        role: 'subagent',
      });
      stop = session.subscribe((event) => recorder.observe(event), { content: false });
    },
    close: () => {
      stop();
      service.close();
    },
  };
}
