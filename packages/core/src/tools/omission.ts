/** Finds placeholders such as "rest of code ..." that a model writes in place of the text; no file may contain them. */

const OMISSION =
  /^\s*(?:\/\/\s*)?\(?\s*(rest of(?: methods?| code)?|unchanged (?:code|methods?))\s*\.{3,}\s*\)?\s*$/i;

/** The placeholders in `text`, in a form that can be compared. */
export function findOmissions(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const words = OMISSION.exec(line)?.[1];
    return words ? [words.toLowerCase().replace(/\s+/g, ' ')] : [];
  });
}

export function omissionProblem(parameter: string, placeholder: string): string {
  return (
    `'${parameter}' contains the placeholder "${placeholder} ...". Write out the complete text instead: ` +
    'nothing fills it in.'
  );
}
