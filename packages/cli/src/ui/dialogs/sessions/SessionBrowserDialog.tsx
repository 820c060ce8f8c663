/** The session browser over the sessions of this folder. */
import { messageOf, type SessionInfo } from '@gemini-cli/core';
import { useEffect } from 'react';
import { innerWidth } from '../../primitives/frame-lines.js';
import { Pager } from '../../primitives/Pager.js';
import { useLiveState } from '../../primitives/use-live-state.js';
import { cleanLine } from '../../text/clean.js';
import { wrapText } from '../../text/columns.js';
import { useLook } from '../../use-look.js';
import type { DialogProps } from '../dialog.js';
import { openSessionPort, type SessionPort } from './port.js';
import { SessionBrowser } from './SessionBrowser.js';

export interface SessionBrowserDialogProps {
  port?: SessionPort;
}

interface Loaded {
  port: SessionPort;
  sessions: readonly SessionInfo[];
}

export function SessionBrowserDialog({
  services,
  props,
  close,
}: DialogProps<SessionBrowserDialogProps, string>) {
  const look = useLook();
  const { height } = services;
  const loaded = useLiveState<Loaded | string | undefined>(undefined);
  const load = async (known?: SessionPort) => {
    try {
      const port = known ?? props.port ?? (await openSessionPort(services));
      loaded.set({ port, sessions: await port.list() });
    } catch (error) {
      loaded.set(`The sessions cannot be listed: ${messageOf(error)}`);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, and again after each change
  useEffect(() => void load(), []);
  const current = loaded.now;
  if (typeof current !== 'object') {
    const text = wrapText(cleanLine(current ?? 'Reading the sessions…'), innerWidth(look));
    return <Pager title="Sessions" lines={text} height={height} onClose={() => close()} />;
  }
  const { port, sessions } = current;
  return (
    <SessionBrowser
      sessions={sessions}
      height={height}
      age={port.age}
      now={port.now}
      onSelect={async ({ id }) => {
        await services.resumeSession(id);
        close(id);
      }}
      onDelete={async (session) => {
        await port.remove(session);
        await load(port);
      }}
      onRename={async (session, name) => {
        await port.rename(session, name);
        await load(port);
      }}
      onExport={(session, file) => port.export(session, file)}
      onSearch={(words) => port.search(words, new AbortController().signal)}
      onPreview={port.preview}
      onClose={() => close()}
    />
  );
}
