import { describe, expect, it } from 'vitest';
import { renderWithProviders } from '../testing/render-with-providers.js';
import { AboutBox } from './AboutBox.js';
import { AppHeader } from './AppHeader.js';
import { GeminiMessage } from './GeminiMessage.js';
import { HistoryItemDisplay } from './HistoryItemDisplay.js';

describe('components with the names of the seed', () => {
  it.each([true, false])('GeminiMessage, Markdown rendered: %s', async (renderMarkdown) => {
    const props = { text: '# Title\n\nSome **bold** words.', isPending: true, terminalWidth: 40 };
    const { lastFrame, unmount } = await renderWithProviders(<GeminiMessage {...props} />, {
      uiState: { renderMarkdown },
    });
    expect(lastFrame()).toMatchSnapshot();
    unmount();
  });

  it('renders pending state', async () => {
    const props = { text: '# Title\n\nSome **bold** words.' };
    const { lastFrame } = await renderWithProviders(<GeminiMessage {...props} isPending={true} />, {
      uiState: { renderMarkdown: true, streamingState: 'responding', terminalWidth: 30 },
    });
    expect(lastFrame()).toMatchSnapshot();
  });

  it('a pending answer keeps to its height', async () => {
    const text = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n');
    const { lastFrame, unmount } = await renderWithProviders(
      <GeminiMessage text={text} isPending={true} terminalWidth={40} height={5} />,
    );
    expect(lastFrame().trimEnd().split('\n')).toEqual([
      '… 26 lines above hidden (ctrl+o to show)',
      '  line 26',
      '  line 27',
      '  line 28',
      '  line 29',
    ]);
    unmount();
  });

  it('AppHeader', async () => {
    const props = { version: '1.0.0', identity: 'me@example.com', bannerText: 'News', showHeader: true };
    const full = await renderWithProviders(<AppHeader {...props} showDetails={true} bannerVisible={true} />);
    expect(full.lastFrame()).toMatchSnapshot();
    full.unmount();
    const bare = await renderWithProviders(
      <AppHeader {...props} showDetails={false} bannerVisible={false} />,
    );
    expect(bare.lastFrame()).toContain('Gemini CLI v1.0.0');
    expect(bare.lastFrame()).not.toMatch(/me@|News/);
    bare.unmount();
  });

  it('AboutBox leaves out a commit that is not known', async () => {
    const props = { cliVersion: '1.0.0', modelVersion: 'm', sandboxEnv: 'no sandbox', osVersion: 'linux' };
    const { lastFrame, unmount } = await renderWithProviders(<AboutBox {...props} gitCommit="N/A" />);
    expect(lastFrame()).toContain('CLI Version');
    expect(lastFrame()).not.toContain('Git Commit');
    unmount();
  });

  it('HistoryItemDisplay draws any item', async () => {
    const { lastFrame, unmount } = await renderWithProviders(
      <HistoryItemDisplay item={{ type: 'info', text: 'hello' }} />,
    );
    expect(lastFrame()).toContain('ℹ hello');
    unmount();
  });
});
