/** What `/init` asks the model for. */
/** @param name of the context file */
export function initPrompt(name: string): string {
  return `Write the file ${name} in the project root. It is read at the beginning of every later conversation here, so it must tell a newcomer what matters and nothing else.

Look around first: the README, the build and package files, the folder structure, then about ten files that show how the code is written. Read more when these do not answer your questions.

Then write ${name} in Markdown:
- what the project is and does, in a few sentences;
- how it is built, run, tested and checked: the exact commands, found in the files, not guessed; where something is unknown, say so;
- how it is laid out: the main folders and what belongs where;
- conventions that can be seen in the code (naming, style, tests, error handling), each with an example;
- for a folder that holds no code: what the documents are about and how they are used.

Keep it under 150 lines. Do not repeat what any developer knows.`;
}
