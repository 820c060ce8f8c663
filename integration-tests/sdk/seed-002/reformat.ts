/** The helper that the printed hook imports. */
export async function reformat(code: string): Promise<string> {
  return `${code.trim()};\n`;
}
