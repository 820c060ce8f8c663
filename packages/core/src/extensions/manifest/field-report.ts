/** Tells about a value that is not used. @param message continues a sentence that begins with the key */
export type FieldReport = (key: string, message: string) => void;

/** Where an extension lies, to check that what it names is inside. */
export interface ExtensionRoot {
  dir: string;
  /** What `${extensionPath}` became; differs from `dir` while it is being installed. */
  extensionPath: string;
}
