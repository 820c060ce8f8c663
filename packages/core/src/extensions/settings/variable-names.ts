/** Which variables an extension may ask for. */

const VALID = /^[A-Za-z_]\w*$/;
const REFUSED = /^(?:PATH|HOME|SHELL|NODE_OPTIONS|LD_.*|DYLD_.*|PYTHON.*|GIT_.*)$/i;

export function isVariableName(name: string): boolean {
  return VALID.test(name);
}

/** Variables that decide which program or library runs; an extension must not set them for its own processes. */
export function isRefusedVariable(name: string): boolean {
  return REFUSED.test(name);
}
