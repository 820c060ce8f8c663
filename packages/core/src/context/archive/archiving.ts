/** What both managers do alike: turns that left the conversation stay within reach. */
import type { Message } from '../../protocol/messages.js';
import type { ContextManagerOptions } from '../context-service.js';
import { type ArchivedTurn, CompressionLevels, TurnArchive } from './turn-archive.js';
import { TurnStore } from './turn-store.js';

type ArchivingOptions = Pick<ContextManagerOptions, 'outputDirectory' | 'redactForDisk' | 'isRecorded'>;

export abstract class Archiving {
  protected archive: TurnArchive;
  protected levels: CompressionLevels;
  /** The history an undone compression left: its size, once known, begins a pause. */
  protected wasUncompressed = false;
  private readonly turnStore: TurnStore;

  constructor(private readonly archiving: ArchivingOptions) {
    this.turnStore = new TurnStore(archiving);
    this.archive = new TurnArchive(this.turnStore);
    this.levels = new CompressionLevels(archiving.isRecorded);
  }

  uncompress(history: readonly Message[]): readonly Message[] | undefined {
    const full = this.levels.undo(history);
    if (full) this.wasUncompressed = true;
    return full;
  }

  uncompressTo(recorded: readonly Message[], history: readonly Message[]): readonly Message[] {
    this.wasUncompressed = true;
    // Where and when we are is told anew by each start, and not recorded for another.
    return [...history.filter(({ origin }) => origin === 'context'), ...recorded];
  }

  /** Another conversation begins: nothing of the last one is within reach. */
  reset(): void {
    this.archive = new TurnArchive(this.turnStore);
    this.levels = new CompressionLevels(this.archiving.isRecorded);
    this.wasUncompressed = false;
  }

  hasArchive(): boolean {
    return !this.archive.isEmpty;
  }

  recall(turnId: string): Message | undefined {
    return this.archive.recall(turnId);
  }

  listTurns(): ArchivedTurn[] {
    return this.archive.list();
  }

  archiveHistory(history: readonly Message[]): void {
    this.archive.addHistory(history);
  }
}
