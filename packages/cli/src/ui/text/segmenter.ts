/** Characters as users see them. The tables for it are read with the first text that needs them: that takes 10 to 20 ms. */
let segmenter: Intl.Segmenter | undefined;

export function graphemeSegmenter(): Intl.Segmenter {
  // The same in every language; to find out which one is the user's takes longer.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter;
}
