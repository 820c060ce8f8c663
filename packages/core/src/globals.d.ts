/** Prose is inlined at build time. */
declare module '*.md' {
  const text: string;
  export default text;
}
