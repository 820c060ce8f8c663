/** Remembers which agents of which projects the user has acknowledged: `{projectRoot: {agentName: hash}}`. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { isObject, objectOf } from '../../base/objects.js';
import { readPrivateFile, setAside, writePrivateFile } from '../../platform/files/private-file.js';
import { withFileLock } from '../../platform/locks/file-lock.js';
import type { AgentDefinition } from '../types.js';

export type AcknowledgmentState = 'acknowledged' | 'new' | 'changed';

export class Acknowledgments {
  /** @param file `~/.gemini/acknowledgments/agents.json` */
  constructor(
    private readonly file: string,
    private readonly projectRoot: string,
  ) {}

  /** Reads the file once for all. */
  statesOf(definitions: readonly AgentDefinition[]): AcknowledgmentState[] {
    const known = new Map(Object.entries(objectOf(read(this.file).get(this.projectRoot))));
    return definitions.map(({ name, source }) => {
      if (!known.has(name)) return 'new';
      return source?.hash !== undefined && known.get(name) === source.hash ? 'acknowledged' : 'changed';
    });
  }

  /** @throws PrivateFileError when it cannot be written */
  async acknowledge(definitions: readonly AgentDefinition[]): Promise<void> {
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
    await withFileLock(this.file, () => {
      if (!isReadable(this.file)) setAside(this.file);
      const all = read(this.file);
      const own = new Map(Object.entries(objectOf(all.get(this.projectRoot))));
      for (const { name, source } of definitions) own.set(name, source?.hash);
      all.set(this.projectRoot, Object.fromEntries(own));
      writePrivateFile(this.file, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
    });
  }
}

/** A damaged file counts as empty: the user is asked again. */
function read(file: string): Map<string, unknown> {
  try {
    return new Map(Object.entries(objectOf(JSON.parse(readPrivateFile(file) ?? '{}'))));
  } catch {
    return new Map();
  }
}

function isReadable(file: string): boolean {
  try {
    return isObject(JSON.parse(readPrivateFile(file) ?? '{}'));
  } catch {
    return false;
  }
}
