import { Script } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { keepYoungSpaceSmall, letYoungSpaceGrow, underUsualFlags } from './young-space.js';

const SOURCE = '(function(){return 1})';

let files = 0;

/** Under the name of a new file: V8 does not look at the data for a script that it has compiled before. */
function isRejected(cachedData: Buffer): boolean | undefined {
  return new Script(SOURCE, { cachedData, filename: `${files++}.cjs` }).cachedDataRejected;
}

describe('a small young space', () => {
  afterEach(letYoungSpaceGrow);

  it('does not cost the compiled code of other runs', () => {
    const kept = new Script(SOURCE).createCachedData();
    keepYoungSpaceSmall();
    expect(isRejected(kept)).toBe(true);
    expect(underUsualFlags(() => isRejected(kept))).toBe(false);
    expect(isRejected(kept)).toBe(true);
  });

  it('keeps compiled code that other runs can use', () => {
    keepYoungSpaceSmall();
    const script = new Script(SOURCE);
    const kept = underUsualFlags(() => script.createCachedData());
    letYoungSpaceGrow();
    expect(isRejected(kept)).toBe(false);
  });

  it('stays as large as it may be when code is compiled after the first prompt', () => {
    const kept = new Script(SOURCE).createCachedData();
    keepYoungSpaceSmall();
    letYoungSpaceGrow();
    underUsualFlags(() => undefined);
    expect(isRejected(kept)).toBe(false);
  });
});
