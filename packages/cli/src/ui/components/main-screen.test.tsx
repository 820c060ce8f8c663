import { ApprovalMode } from '@gemini-cli/core';
import { describe, expect, it } from 'vitest';
import { createCompleter } from '../../completion/completer.js';
import { createComposer } from '../composer/composer-store.js';
import { initialState } from '../store/state.js';
import { facts } from '../testing/facts.test-helper.js';
import { key, typed } from '../testing/keys.test-helper.js';
import { renderWithProviders } from '../testing/render-with-providers.test-helper.js';
import { AboutBox } from './AboutBox.js';
import { AppHeader } from './AppHeader.js';
import { Composer } from './Composer.js';
import { HistoryItemDisplay } from './HistoryItemDisplay.js';
import { MainContent } from './MainContent.js';
import { GeminiMessage } from './messages/GeminiMessage.js';

describe('the main screen as components', () => {
  it.each([true, false])('GeminiMessage draws an answer, Markdown rendered: %s', async (renderMarkdown) => {
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
      uiState: { renderMarkdown: true },
    });
    expect(lastFrame()).toMatchSnapshot();
  });

  it('renders with the state of the screen that a test gives', async () => {
    const { lastFrame } = await renderWithProviders(
      <GeminiMessage text="one two three four five six seven" isPending={true} />,
      { uiState: { renderMarkdown: true, streamingState: 'responding', terminalWidth: 20 } },
    );
    const lines = lastFrame().trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(1);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(20);
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

  it('AppHeader shows identity and banner only when asked to', async () => {
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

describe('the main screen as components', () => {
  it('MainContent draws settled items above those that still change', async () => {
    const { lastFrame, unmount } = await renderWithProviders(
      <MainContent
        history={[{ type: 'user', text: 'How?' }]}
        pending={[{ type: 'gemini', text: 'Like this.' }]}
        height={10}
      />,
    );
    expect(lastFrame()).toMatch(/> How\?[\s\S]*\n\s*\n[^\n]*Like this\./);
    unmount();
  });

  it('Composer shows what is typed and submits it with Enter', async () => {
    const sent: string[] = [];
    const composer = createComposer({
      onSubmit: (text) => {
        sent.push(text);
        return true;
      },
    });
    const { lastFrame, settle, unmount } = await renderWithProviders(
      <Composer
        state={initialState(facts, ApprovalMode.DEFAULT)}
        composer={composer}
        completer={createCompleter([])}
        isSuggestionExpanded={false}
        suggestionsAbove={false}
      />,
    );
    expect(lastFrame()).toContain('Type your message');
    for (const event of typed('hello')) composer.handle(event);
    await settle();
    expect(lastFrame()).toContain('> hello');
    composer.handle(key('enter'));
    await settle();
    expect(sent).toEqual(['hello']);
    expect(lastFrame()).toContain('Type your message');
    unmount();
  });
});
