/** The parameters of `replace`. */
export interface EditToolParams {
  file_path: string;
  /** The purpose of the change. Declared as required, accepted without. */
  instruction?: string;
  /** Empty: create the file. */
  old_string: string;
  new_string: string;
  allow_multiple?: boolean;
  /** Older form: exactly this many places. */
  expected_replacements?: number;
  /** Set when the user edited the proposal in an editor; never declared to the model. */
  modified_by_user?: boolean;
  /** What the model had proposed before that, as the content of the whole file. */
  ai_proposed_content?: string;
}
