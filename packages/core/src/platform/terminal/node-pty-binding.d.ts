/** The loader of node-pty's native part, which the package does not describe. */
declare module '@lydell/node-pty/requireBinary.js' {
  export function requireBinary(file: string): unknown;
}
