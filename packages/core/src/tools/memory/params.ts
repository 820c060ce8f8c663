/** Arguments of `save_memory`. */
export interface SaveMemoryParams {
  fact: string;
  scope?: 'global' | 'project';
  /** Set when the user edited the proposal: the content of the whole file. */
  modified_content?: string;
}
