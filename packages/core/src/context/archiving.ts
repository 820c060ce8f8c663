/** What both managers do alike: turns that left the conversation stay within reach. */
import type { Message } from '../protocol/messages.js';
import { type ArchivedTurn, CompressionLevels, TurnArchive } from './turn-archive.js';

export abstract class Archiving {
  protected archive = new TurnArchive();
  protected levels = new CompressionLevels();
  /** The history an undone compression left: its size, once known, begins a pause. */
  protected wasUncompressed = false;

  uncompress(history: readonly Message[]): readonly Message[] | undefined {
    const full = this.levels.undo(history);
    if (full) this.wasUncompressed = true;
    return full;
  }

  /** Another conversation begins: nothing of the last one is within reach. */
  reset(): void {
    this.archive = new TurnArchive();
    this.levels = new CompressionLevels();
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
