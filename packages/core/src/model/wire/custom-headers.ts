/** Headers the user adds to every request (`GEMINI_CLI_CUSTOM_HEADERS`). */
import { FatalConfigError } from '../../base/errors.js';

/** Characters that Node accepts in a header value. */
const HEADER_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/**
 * `Name: value, Name2: value2`; a comma separates only if a name and a colon follow.
 * @throws FatalConfigError for a value that cannot be sent
 */
export function customHeaders(text: string | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const item of (text ?? '').split(/,(?=\s*[^,:\s]+\s*:)/)) {
    const colon = item.indexOf(':');
    const name = item.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) continue;
    const value = item.slice(colon + 1).trim();
    if (!HEADER_VALUE.test(value)) {
      throw new FatalConfigError(
        `GEMINI_CLI_CUSTOM_HEADERS: the value of "${name}" holds control characters.`,
      );
    }
    headers[name] = value;
  }
  return headers;
}
