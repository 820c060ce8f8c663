/** The session browser over the sessions of this folder. */
import type { SessionInfo } from '@gemini-cli/core';
import { useState } from 'react';
import { Pager } from '../../components/Pager.js';
import { Paragraph } from '../../components/Paragraph.js';
import { useLoaded } from '../../components/use-loaded.js';
import { cleanLine } from '../../text/clean.js';
import type { DialogProps } from '../dialog.js';
import { openSessionPort, type SessionPort } from './port.js';
import { SessionBrowser } from './SessionBrowser.js';

export interface SessionBrowserDialogProps {
  port?: SessionPort;
}

export function SessionBrowserDialog({
  services,
  props,
  close,
}: DialogProps<SessionBrowserDialogProps, string>) {
  const loaded = useLoaded(async () => {
    const port = props.port ?? (await openSessionPort(services));
    return { port, sessions: await port.list() };
  });
  const [changed, setChanged] = useState<readonly SessionInfo[]>();
  if (!loaded.value) {
    const text = loaded.isLoading
      ? 'Reading the sessions…'
      : `The sessions cannot be listed: ${cleanLine(loaded.problem)}`;
    return (
      <Pager title="Sessions" onClose={() => close()}>
        <Paragraph text={text} />
      </Pager>
    );
  }
  const { port, sessions } = loaded.value;
  return (
    <SessionBrowser
      sessions={changed ?? sessions}
      age={port.age}
      now={port.now}
      onSelect={async ({ id }) => {
        await services.resumeSession(id);
        close(id);
      }}
      onDelete={async (session) => {
        await port.remove(session);
        setChanged(await port.list());
      }}
      onRename={async (session, name) => {
        await port.rename(session, name);
        setChanged(await port.list());
      }}
      onExport={port.export}
      onSearch={(words) => port.search(words, new AbortController().signal)}
      onPreview={port.preview}
      onClose={() => close()}
    />
  );
}
