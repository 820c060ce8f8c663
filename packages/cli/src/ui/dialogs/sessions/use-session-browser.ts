/** The session browser as the app opens it: the seed's names. */
import type { SessionInfo } from '@gemini-cli/core';
import { useLiveState } from '../../primitives/use-live-state.js';

export interface SessionBrowserActions {
  resumeSession(id: string): Promise<void>;
  deleteSession(session: SessionInfo): Promise<void>;
}

export interface SessionBrowserControl {
  isSessionBrowserOpen: boolean;
  openSessionBrowser(): void;
  closeSessionBrowser(): void;
  handleResumeSession(session: SessionInfo): Promise<void>;
  handleDeleteSession(session: SessionInfo): Promise<void>;
}

export function useSessionBrowser({
  resumeSession,
  deleteSession,
}: SessionBrowserActions): SessionBrowserControl {
  const isOpen = useLiveState(false);
  return {
    isSessionBrowserOpen: isOpen.now,
    openSessionBrowser: () => isOpen.set(true),
    closeSessionBrowser: () => isOpen.set(false),
    async handleResumeSession(session) {
      isOpen.set(false);
      await resumeSession(session.id);
    },
    handleDeleteSession: deleteSession,
  };
}
