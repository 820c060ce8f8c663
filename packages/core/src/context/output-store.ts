/** Where texts go that leave the conversation but must stay readable. */
import { createLog } from '../platform/log.js';
import { saveOutput } from '../platform/storage/saved-output.js';

const log = createLog('context');

export interface OutputStorePorts {
  /** Folder of this session's tool outputs; the model may read there. */
  outputDirectory(): string;
  /** Hides secrets in what is written. */
  redactForDisk(text: string): string;
}

export class OutputStore {
  constructor(private readonly ports: OutputStorePorts) {}

  /** The file the text is in now; undefined when it could not be written, and then the text must stay. */
  save(text: string, toolName: string, callId: string): string | undefined {
    try {
      const saved = saveOutput(this.ports.redactForDisk(text), {
        directory: this.ports.outputDirectory(),
        toolName,
        callId,
      });
      if ('path' in saved) return saved.path;
      log.warn('an output could not be saved', saved);
    } catch (error) {
      log.warn('an output could not be saved', error);
    }
    return undefined;
  }
}
