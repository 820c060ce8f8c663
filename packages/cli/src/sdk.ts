/** `@gemini-cli/cli` as programs import it: the SDK. The program `gemini` never loads this file. */
export * from '@gemini-cli/sdk';
