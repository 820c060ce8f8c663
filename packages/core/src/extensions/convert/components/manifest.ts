/** The manifest of the extension that a plugin becomes. */
import type { ExtensionSetting } from '../../types.js';
import type { ReadPlugin, ReportRow } from '../types.js';

const SEMVER = /^v?(\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;

/** A version that other programs accept; a changed one is named. */
export function versionOf(written: unknown, rows: ReportRow[]): string {
  if (written === undefined || written === null || written === '') return '0.0.0';
  const text = String(written).trim();
  const [, major, minor, patch] = SEMVER.exec(text) ?? [];
  const isSemver = [major, minor, patch].every((part) => part !== undefined && String(Number(part)) === part);
  if (isSemver) return text;
  const numbers = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?$/.exec(text);
  const version = numbers ? [1, 2, 3].map((at) => Number(numbers[at] ?? 0)).join('.') : '0.0.0';
  const reason = `"${text.slice(0, 40)}" is not a version of three numbers: it is ${version}`;
  rows.push({ action: 'warned', kind: 'plugin', source: 'version', target: 'gemini-extension.json', reason });
  return version;
}

export function manifestText(
  { description }: Pick<ReadPlugin, 'description'>,
  parts: {
    name: string;
    version: string;
    hasContext: boolean;
    mcpServers: Readonly<Record<string, unknown>>;
    settings: readonly ExtensionSetting[];
  },
): string {
  const { name, version, hasContext, mcpServers, settings } = parts;
  const manifest = {
    name,
    version,
    ...(description !== undefined && { description }),
    ...(hasContext && { contextFileName: 'GEMINI.md' }),
    ...(Object.keys(mcpServers).length > 0 && { mcpServers }),
    ...(settings.length > 0 && { settings }),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
