/** Prose is inlined at build time. */
declare module '*.md' {
  const text: string;
  export default text;
}

/** Parsed at build time. */
declare module '*.toml' {
  const content: Readonly<Record<string, unknown>>;
  export default content;
}
