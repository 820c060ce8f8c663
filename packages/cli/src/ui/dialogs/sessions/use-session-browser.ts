/** Opens the session browser from a component. */
import type { SessionInfo } from '@gemini-cli/core';
import { useState } from 'react';

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
  const [isSessionBrowserOpen, setIsOpen] = useState(false);
  return {
    isSessionBrowserOpen,
    openSessionBrowser: () => setIsOpen(true),
    closeSessionBrowser: () => setIsOpen(false),
    async handleResumeSession(session) {
      setIsOpen(false);
      await resumeSession(session.id);
    },
    handleDeleteSession: deleteSession,
  };
}
