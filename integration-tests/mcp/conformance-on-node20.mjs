// The conformance suite imports `globSync` of a newer Node, for a command that is not used here. Load with `--import`.
import fs from 'node:fs';
import { register } from 'node:module';

const withGlob = "export * from 'node:fs'; export const globSync = () => [];";
const hooks = `
  export async function resolve(name, context, next) {
    const isSuite = context.parentURL?.includes('/@modelcontextprotocol/conformance/');
    if (name !== 'fs' || !isSuite) return next(name, context);
    return { url: 'data:text/javascript,' + ${JSON.stringify(encodeURIComponent(withGlob))}, shortCircuit: true };
  }`;
if (!('globSync' in fs)) register(`data:text/javascript,${encodeURIComponent(hooks)}`);
