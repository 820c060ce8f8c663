/** Collects what a fix did: `losses` deserve the user's attention. */
export interface FixNotes {
  changes: string[];
  losses: string[];
}
