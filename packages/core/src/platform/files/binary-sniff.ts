/** Whether bytes look like text at all, whatever its encoding. */

const SNIFFED_BYTES = 8192;

/** A NUL, or mostly control characters, at the start. Meaningless for bytes that begin with a UTF-16/32 mark. */
export function looksBinary(bytes: Buffer): boolean {
  const head = bytes.subarray(0, SNIFFED_BYTES);
  let odd = 0;
  for (const byte of head) {
    if (byte === 0) return true;
    if (isOddControl(byte)) odd++;
  }
  return odd > head.length * 0.3;
}

/** Controls that text does not use; backspace, tab, line and page ends and escape are in use. */
export function isOddControl(byte: number): boolean {
  return (byte < 8 || (byte > 13 && byte < 32 && byte !== 27)) && byte !== 0;
}
