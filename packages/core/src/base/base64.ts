/** Base64 of another program. */

/**
 * The same data as plain base64: one attachment that is not makes a provider refuse the whole conversation. Line breaks,
 * the URL alphabet and the head of a data address go; what is no base64 at all becomes empty, or other data.
 */
export function cleanBase64(text: string): string {
  return Buffer.from(text.replace(/^data:[^,]{0,200},/, ''), 'base64').toString('base64');
}
