/** What one check of an extension looks at and how it reports. */
import type { ExtensionManifest, ExtensionProblem } from '../types.js';

export interface CheckedExtension {
  dir: string;
  manifest: ExtensionManifest;
  raw: Readonly<Record<string, unknown>>;
  /** Reports a warning about a key of the manifest. */
  warn: (key: string, message: string) => void;
  fail: (key: string, message: string) => void;
  add: (problem: ExtensionProblem) => void;
}
