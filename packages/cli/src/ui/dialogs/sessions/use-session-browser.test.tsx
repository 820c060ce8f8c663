import type { SessionInfo } from '@gemini-cli/core';
import { Text } from 'ink';
import { expect, it } from 'vitest';
import { key } from '../../testing/keys.test-helper.js';
import { renderWithProviders } from '../../testing/render-with-providers.test-helper.js';
import { SessionBrowser } from './SessionBrowser.js';
import { type SessionBrowserControl, useSessionBrowser } from './use-session-browser.js';

const SESSION: SessionInfo = {
  id: 'abc',
  file: 'f',
  fileName: 'f.jsonl',
  path: '/f.jsonl',
  startTime: '2026-11-15T10:00:00Z',
  lastUpdated: '2026-11-15T10:00:00Z',
  messageCount: 2,
  userMessageCount: 1,
  displayName: 'Talk',
  firstUserMessage: 'Talk',
  isCurrentSession: false,
  index: 1,
  hasUserOrAssistantMessage: true,
};

interface HolderProps {
  log: string[];
  onControl(control: SessionBrowserControl): void;
}

function Holder({ log, onControl }: HolderProps) {
  const control = useSessionBrowser({
    resumeSession: async (id) => void log.push(`resume:${id}`),
    deleteSession: async ({ id }) => void log.push(`delete:${id}`),
  });
  onControl(control);
  if (!control.isSessionBrowserOpen) return <Text>closed</Text>;
  return (
    <SessionBrowser
      sessions={[SESSION]}
      onSelect={control.handleResumeSession}
      onDelete={control.handleDeleteSession}
      onExport={(_session, file) => file}
      onClose={control.closeSessionBrowser}
    />
  );
}

it('the hook opens, closes, resumes and deletes', async () => {
  const log: string[] = [];
  let control: SessionBrowserControl | undefined;
  const screen = await renderWithProviders(<Holder log={log} onControl={(given) => (control = given)} />);
  expect(screen.lastFrame()).toBe('closed');
  control?.openSessionBrowser();
  await screen.settle();
  expect(screen.lastFrame()).toContain('Talk');
  await screen.press(key('x'), key('2'));
  expect(log).toEqual(['delete:abc']);
  await screen.press(key('escape'));
  expect(screen.lastFrame()).toBe('closed');
  control?.openSessionBrowser();
  await screen.settle();
  await screen.press(key('enter'));
  expect(log).toEqual(['delete:abc', 'resume:abc']);
  expect(screen.lastFrame()).toBe('closed');
  screen.unmount();
});
