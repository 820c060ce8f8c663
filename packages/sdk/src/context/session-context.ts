/** Makes the context that tools, hooks, instructions and handlers get. Its parts are made when they are first used. */
import { type Config, createLog, type EventStream } from '@gemini-cli/core';
import type { GeminiCliAgent } from '../agent/agent.js';
import type { GeminiCliSession } from '../agent/session.js';
import { GeminiCliError } from '../errors.js';
import { SessionFilesystem } from './filesystem.js';
import { SessionShell } from './shell.js';
import type { AgentFilesystem, AgentShell, AskUserAnswer, AskUserQuestion, SessionContext } from './types.js';

export interface ContextParts {
  agent: GeminiCliAgent;
  session: GeminiCliSession;
  config: Config;
  events: EventStream;
  signal: AbortSignal;
}

const log = createLog('sdk');

export function createContext({ agent, session, config, events, signal }: ContextParts): SessionContext {
  let fs: AgentFilesystem | undefined;
  let shell: AgentShell | undefined;
  return {
    sessionId: config.getSessionId(),
    get transcript() {
      return session.transcript;
    },
    cwd: config.getTargetDir(),
    timestamp: new Date().toISOString(),
    get fs() {
      fs ??= new SessionFilesystem(config);
      return fs;
    },
    get shell() {
      shell ??= new SessionShell(() => config, signal);
      return shell;
    },
    agent,
    session,
    signal,
    ask: (questions) => ask(events, Array.isArray(questions) ? questions : [questions], signal),
    log: (message) => log.debug(message),
  };
}

async function ask(
  events: EventStream,
  questions: AskUserQuestion[],
  signal: AbortSignal,
): Promise<AskUserAnswer> {
  const reply = await events.ask({ kind: 'ask_user', questions, asker: 'program' }, { signal });
  if (reply.status === 'answered') return { answers: reply.answer.answers };
  throw new GeminiCliError(
    signal.aborted
      ? 'The question was withdrawn.'
      : 'No user can answer here: the agent has no onAskUser, or it gave no answer.',
    { code: 'NO_ANSWER' },
  );
}
