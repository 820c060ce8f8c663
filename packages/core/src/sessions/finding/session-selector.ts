/** Finds the session a user means: `latest`, a number of the list, an id, or the beginning of one. */
import type { Storage } from '../../platform/storage/storage.js';
import type { ConversationRecord } from '../../protocol/session-record.js';
import { type ReadOptions, readSession } from '../reading/read-session.js';
import { SessionError } from '../session-error.js';
import { relativeTime } from './relative-time.js';
import { listSessions, type SessionInfo, titleOf } from './session-info.js';
import { type SessionPlaces, sessionPlaces } from './session-places.js';

export interface SessionSelectionResult {
  sessionPath: string;
  sessionData: ConversationRecord;
  /** Tells the user which session was found. */
  displayInfo: string;
}

const LATEST = 'latest';
const MIN_PREFIX = 6;

export interface SelectorOptions {
  places: SessionPlaces;
  currentSessionId?: string;
  now: () => number;
}

/** The methods of `Config` that locate a project's sessions. */
export interface SelectorHost {
  readonly storage: Storage;
  getSessionId(): string;
}

export class SessionSelector {
  private readonly options: SelectorOptions;

  constructor(source: SelectorOptions | SelectorHost) {
    this.options = 'places' in source ? source : optionsOf(source);
  }

  async listSessions(): Promise<SessionInfo[]> {
    return this.list();
  }

  /** @throws SessionError with either code */
  async findSession(identifier: string): Promise<SessionInfo> {
    const sessions = this.list();
    if (sessions.length === 0) throw SessionError.noSessionsFound();
    const found = pick(sessions, identifier.trim());
    if (!found) throw SessionError.invalidSessionIdentifier(identifier, this.options.places.chatsDir);
    return found;
  }

  /** @throws SessionError, also when the file turns out to be unreadable */
  async resolveSession(resumeArg: string, read: ReadOptions = {}): Promise<SessionSelectionResult> {
    const session = await this.findSession(resumeArg.trim() === '' ? LATEST : resumeArg);
    return this.select(session, read);
  }

  async sessionExists(id: string): Promise<boolean> {
    return this.list().some((session) => session.id === id);
  }

  private select(session: SessionInfo, read: ReadOptions): SessionSelectionResult {
    const when = relativeTime(session.lastUpdated, this.options.now());
    return {
      sessionPath: session.path,
      sessionData: readSession(session.path, read),
      displayInfo: `Session ${session.index}: ${titleOf(session)} (${session.messageCount} messages, ${when.toLowerCase()})`,
    };
  }

  private list(): SessionInfo[] {
    const { places, currentSessionId } = this.options;
    return listSessions(places, { ...(currentSessionId !== undefined && { currentSessionId }) });
  }
}

function optionsOf(host: SelectorHost): SelectorOptions {
  return { places: sessionPlaces(host.storage), currentSessionId: host.getSessionId(), now: Date.now };
}

function pick(sessions: readonly SessionInfo[], identifier: string): SessionInfo | undefined {
  if (identifier === LATEST) return sessions.at(-1);
  const byId = sessions.find(({ id }) => id === identifier);
  if (byId) return byId;
  // Six or more digits may also be the beginning of an id; a list is rarely that long.
  if (/^\d+$/.test(identifier)) {
    const byIndex = sessions[Number(identifier) - 1];
    if (byIndex) return byIndex;
  }
  if (identifier.length < MIN_PREFIX) return undefined;
  const byPrefix = sessions.filter(({ id }) => id.startsWith(identifier));
  return byPrefix.length === 1 ? byPrefix[0] : undefined;
}
