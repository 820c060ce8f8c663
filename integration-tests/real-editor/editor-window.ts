/** One window of the editor, used as its user does: keys, clicks, and what is to be read on the page. */
import type { Page } from '@gemini-cli/test-utils/rig';

const LONG = 60_000;
const PANEL_TOP = 420;
const DIFF = '.tab.active[aria-label*="↔ Modified"]';

export class EditorWindow {
  constructor(readonly page: Page) {
    page.setDefaultTimeout(LONG);
  }

  /** The files are listed, and the extensions of the time after the start have begun. */
  async waitUntilReady(): Promise<void> {
    await this.page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
  }

  async trust(): Promise<void> {
    await this.page.getByText('Yes, I trust the authors').click();
    await this.page.locator('.monaco-dialog-box').waitFor({ state: 'detached' });
  }

  async stayRestricted(): Promise<void> {
    await this.page.getByText("No, I don't trust the authors").click();
    await this.page.locator('.monaco-dialog-box').waitFor({ state: 'detached' });
  }

  /** In the editor of the workspace's trust, which is closed again. */
  async trustLater(): Promise<void> {
    await this.command('Workspaces: Manage Workspace Trust');
    await this.page
      .locator('.workspace-trust-editor')
      .getByRole('button', { name: 'Trust', exact: true })
      .click();
    await this.page.getByText('You trust this folder').first().waitFor();
    await this.closeActiveTab();
  }

  /** Until a notification with these words is shown. */
  async notification(words: string): Promise<void> {
    await this.page.locator('.notification-toast', { hasText: words }).waitFor();
  }

  async closeNotifications(): Promise<void> {
    await this.command('Notifications: Clear All Notifications');
    await this.page.locator('.notification-toast').first().waitFor({ state: 'detached' });
  }

  /** By the command palette. */
  async command(title: string): Promise<void> {
    await this.page.keyboard.press('F1');
    await this.choose(`>${title}`, title);
  }

  async openFile(name: string): Promise<void> {
    await this.page.keyboard.press('Control+p');
    await this.choose(name, name);
    await this.tab(name).waitFor();
  }

  /** The tab that is looked at, when it is this one. */
  tab(name: string) {
    return this.page.locator(`.tab.active[data-resource-name="${name}"]`);
  }

  async clickTab(label: string): Promise<void> {
    await this.page.locator('.tab .label-name', { hasText: label }).click();
  }

  /** In the file that has the focus. */
  async selectFirstLine(): Promise<void> {
    await this.page.locator('.editor-instance .view-lines').first().click();
    await this.page.keyboard.press('Control+Home');
    await this.page.keyboard.press('Shift+End');
  }

  diffShown(): Promise<void> {
    return this.page.locator(DIFF).waitFor();
  }

  diffGone(): Promise<void> {
    return this.page.locator(DIFF).waitFor({ state: 'detached' });
  }

  /** At the end of the right side. */
  async typeIntoDiff(text: string): Promise<void> {
    const editor = this.page.locator('.editor.modified');
    const typed = editor.locator('.view-line', { hasText: text.trim() }).first();
    // The editor does not accept typing until the extension has said that this document may be changed.
    for (let tries = 0; tries < 10 && !(await typed.isVisible()); tries++) {
      await editor.locator('.view-lines').click();
      await this.page.keyboard.press('Control+End');
      await this.page.keyboard.type(text);
      await typed.waitFor({ timeout: 3_000 }).catch(() => undefined);
    }
    await typed.waitFor();
  }

  /** A button in the title bar of the editor. */
  async clickAction(title: string): Promise<void> {
    await this.page.locator(`.editor-actions a[aria-label^="${title}"]`).click();
  }

  async closeActiveTab(): Promise<void> {
    await this.page.locator('.tab.active .tab-actions a').click();
  }

  async typeInTerminal(text: string): Promise<void> {
    await this.focusTerminal();
    await this.page.keyboard.type(text);
  }

  /** Types a prompt and sends it when the program has echoed it: an Enter in the middle of a paste would be text. */
  async ask(prompt: string): Promise<void> {
    await this.typeInTerminal(prompt);
    await this.terminalShows(`> ${prompt}`);
    await this.page.keyboard.press('Enter');
  }

  async enterInTerminal(line: string): Promise<void> {
    await this.typeInTerminal(line);
    await this.terminalShows(line);
    await this.page.keyboard.press('Enter');
  }

  async terminalGone(): Promise<void> {
    await this.page.locator('.terminal-wrapper').first().waitFor({ state: 'detached' });
  }

  /** So that a whole question is seen in the terminal. */
  async growPanel(): Promise<void> {
    const title = this.page.locator('.part.panel > .title');
    const { x, y } = (await title.boundingBox()) ?? { x: 0, y: 0 };
    await this.page.mouse.move(x + 300, y);
    await this.page.mouse.down();
    await this.page.mouse.move(x + 300, PANEL_TOP, { steps: 5 });
    await this.page.mouse.up();
    // What is dragged is highlighted as long as the pointer is on it.
    await this.page.mouse.move(x + 300, PANEL_TOP / 2);
  }

  async pressInTerminal(key: string): Promise<void> {
    await this.focusTerminal();
    await this.page.keyboard.press(key);
  }

  async terminalShows(text: string): Promise<void> {
    try {
      await this.page.waitForFunction(isInTerminal, text, { timeout: LONG });
    } catch (error) {
      const seen = await this.page.evaluate(terminalText);
      throw new Error(`The terminal does not show ${JSON.stringify(text)}:\n${seen}`, { cause: error });
    }
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.waitUntilReady();
  }

  private async focusTerminal(): Promise<void> {
    await this.page.locator('.terminal-wrapper.active .xterm-helper-textarea').focus();
  }

  private async choose(typed: string, label: string): Promise<void> {
    const input = this.page.locator('.quick-input-widget input.input');
    await input.waitFor();
    await input.fill(typed);
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: label }).first().click();
  }
}

// These two run in the page, without the names of this file.

function terminalText(): string {
  const rows = document.querySelectorAll('.terminal-wrapper.active .xterm-rows > div');
  return [...rows].map((row) => row.textContent?.replaceAll('\u00a0', ' ')).join('\n');
}

function isInTerminal(text: string): boolean {
  const rows = document.querySelectorAll('.terminal-wrapper.active .xterm-rows > div');
  const lines = [...rows].map((row) => row.textContent?.replaceAll('\u00a0', ' '));
  return lines.join('\n').includes(text);
}
