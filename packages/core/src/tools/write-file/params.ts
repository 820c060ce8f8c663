/** The parameters of `write_file`. */
export interface WriteFileToolParams {
  file_path: string;
  content: string;
  /** Set when the user edited the proposal in an editor; never declared to the model. */
  modified_by_user?: boolean;
  /** What the model had proposed before that. */
  ai_proposed_content?: string;
}
