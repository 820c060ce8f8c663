/** Runs an action with settings that override all others. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function withSettings<T>(
  settings: object,
  action: (env: Record<string, string>) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'gemini-bench-settings-'));
  const file = join(folder, 'settings.json');
  writeFileSync(file, JSON.stringify(settings));
  try {
    return await action({ GEMINI_CLI_SYSTEM_SETTINGS_PATH: file });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
