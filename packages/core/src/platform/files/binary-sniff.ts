/** Tells binary data from text, whatever its encoding. */

const SNIFFED_BYTES = 8192;

/** Looks for a NUL or many control characters at the start. Not for UTF-16 and UTF-32, which contain NULs. */
export function looksBinary(bytes: Buffer): boolean {
  const head = bytes.subarray(0, SNIFFED_BYTES);
  let odd = 0;
  for (const byte of head) {
    if (byte === 0) return true;
    if (isOddControl(byte)) odd++;
  }
  return odd > head.length * 0.3;
}

/** Control characters that text does not use; it uses backspace, tab, line and page ends and escape. */
export function isOddControl(byte: number): boolean {
  return (byte < 8 || (byte > 13 && byte < 32 && byte !== 27)) && byte !== 0;
}
