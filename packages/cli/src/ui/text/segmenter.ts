/** Splits text into graphemes. Its tables load with the first text that needs them, which takes 10 to 20 ms. */
let segmenter: Intl.Segmenter | undefined;

export function graphemeSegmenter(): Intl.Segmenter {
  // The result is the same in every language, and finding out the user's takes longer.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter;
}
