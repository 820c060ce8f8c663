/** Base class of both context managers: archives removed turns, undoes compressions, and traces requests. */
import type { Message } from '../../protocol/messages.js';
import type { ContextManagerOptions, Prepared, PrepareInput } from '../context-service.js';
import { type ArchivedTurn, CompressionLevels, TurnArchive } from './turn-archive.js';
import { TurnStore } from './turn-store.js';

type ArchivingOptions = Pick<
  ContextManagerOptions,
  'outputDirectory' | 'redactForDisk' | 'isRecorded' | 'trace'
>;

export abstract class ArchivingManager {
  protected archive: TurnArchive;
  protected levels: CompressionLevels;
  /** A compression was undone: the next `prepare` pauses automatic compression at that size. */
  protected wasUncompressed = false;
  private readonly turnStore: TurnStore;

  constructor(private readonly archiving: ArchivingOptions) {
    this.turnStore = new TurnStore(archiving);
    this.archive = new TurnArchive(this.turnStore);
    this.levels = new CompressionLevels(archiving.isRecorded);
  }

  async prepare(input: PrepareInput): Promise<Prepared> {
    const prepared = await this.fit(input);
    const { model, promptId, message } = input;
    this.archiving.trace?.rendered({
      model,
      promptId,
      messages: [...prepared.history, message],
      isSent: !prepared.overflow,
    });
    return prepared;
  }

  uncompress(history: readonly Message[]): readonly Message[] | undefined {
    const full = this.levels.undo(history);
    if (full) this.wasUncompressed = true;
    return full;
  }

  uncompressTo(recorded: readonly Message[], history: readonly Message[]): readonly Message[] {
    this.wasUncompressed = true;
    // Environment messages are made at every start and not recorded.
    return [...history.filter(({ origin }) => origin === 'context'), ...recorded];
  }

  /** A new conversation begins: the archive of the last one is dropped. */
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

  /** Makes the conversation fit the model's window. */
  protected abstract fit(input: PrepareInput): Promise<Prepared>;
}
