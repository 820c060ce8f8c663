/** Arguments of `save_memory`. */
export interface SaveMemoryParams {
  fact: string;
  scope?: 'global' | 'project';
  /** Set when the user rewrote the proposal: what the whole file shall hold. */
  modified_content?: string;
}
