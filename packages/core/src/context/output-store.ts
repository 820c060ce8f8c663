/** Saves texts that are removed from the conversation to files that the model can read. */
import { createLog } from '../platform/log.js';
import { saveOutput } from '../platform/storage/saved-output.js';

const log = createLog('context');

export interface OutputStorePorts {
  /** Folder of this session's tool outputs, readable for the model. */
  outputDirectory(): string;
  /** Redacts secrets before text is written. */
  redactForDisk(text: string): string;
}

export class OutputStore {
  constructor(private readonly ports: OutputStorePorts) {}

  /** The path of the file; undefined when it could not be written, so the text must stay in the conversation. */
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
