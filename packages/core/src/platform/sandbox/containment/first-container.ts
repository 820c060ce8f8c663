/** Chooses between two ways to contain commands: the first one that works on this machine. */
import { type SandboxCheck, SandboxError, type SandboxedCommand } from '../types.js';
import type { Container, ContainRequest } from './types.js';

export class FirstContainer implements Container {
  private chosen: Container | undefined;
  private checked: Promise<SandboxCheck> | undefined;

  /** @param other created only when the preferred one does not work */
  constructor(
    private readonly preferred: Container,
    private readonly other: () => Promise<Container>,
  ) {}

  get kinds() {
    return this.chosen?.kinds;
  }

  check(): Promise<SandboxCheck> {
    this.checked ??= this.choose();
    return this.checked;
  }

  problemOf(request: Pick<ContainRequest, 'kind' | 'workspace'>): string | undefined {
    return this.chosen?.problemOf(request);
  }

  async contain(request: ContainRequest): Promise<SandboxedCommand> {
    const check = await this.check();
    if (!this.chosen || !check.ok)
      throw new SandboxError(
        'This machine cannot contain commands.',
        'Install bubblewrap (apt install bubblewrap).',
      );
    return this.chosen.contain(request);
  }

  /** When both fail, reports the first: it says what to install. */
  private async choose(): Promise<SandboxCheck> {
    const first = await this.preferred.check();
    if (first.ok) {
      this.chosen = this.preferred;
      return first;
    }
    const other = await this.other();
    const second = await other.check();
    if (!second.ok) return first;
    this.chosen = other;
    return { ok: true, notes: [LANDLOCK_NOTE] };
  }
}

const LANDLOCK_NOTE =
  'Contained by Landlock: edits by redirection are not contained, and names of hidden files are visible. Install bubblewrap for more.';
