/** One window of the editor, used as its user does: keys, clicks and what is to be read on the page. */
import type { Page } from '@gemini-cli/test-utils/rig';

export class EditorWindow {
  constructor(readonly page: Page) {}

  async waitUntilReady(): Promise<void> {
    await this.page.waitForSelector('.explorer-folders-view .monaco-list-row', { timeout: 60_000 });
  }

  /** By the command palette. */
  async command(title: string): Promise<void> {
    await this.page.keyboard.press('F1');
    await this.pick(`>${title}`, title);
  }

  async openFile(name: string): Promise<void> {
    await this.page.keyboard.press('Control+p');
    await this.pick(name, name);
    await this.page.waitForSelector(`.tab.active[data-resource-name="${name}"]`);
  }

  private async pick(typed: string, label: string): Promise<void> {
    const input = this.page.locator('.quick-input-widget input');
    await input.waitFor();
    await input.fill(typed);
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: label }).first().click();
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}
