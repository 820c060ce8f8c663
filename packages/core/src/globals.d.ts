/** Prose is inlined at build time. */
declare module '*.md' {
  const text: string;
  export default text;
}

/** Version of the program, set by the build. */
declare const __VERSION__: string;
