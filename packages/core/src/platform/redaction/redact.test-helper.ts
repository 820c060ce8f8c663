/** For tests: random texts, the same in every run. */

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const WORDS =
  'the function returns const = { } "path": value pass sk-abc eyJh https://example.com/x error: github AKIAX -----';

export function makeRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x80000000;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const token = (length: number) => Array.from({ length }, () => LETTERS[below(LETTERS.length)]).join('');
  /** Text with some of the secrets, whole and without their last character. */
  const prose = (length: number, secrets: readonly string[]) => {
    const words = WORDS.split(' ');
    const parts: string[] = [];
    for (let size = 0; size < length; ) {
      const chance = next();
      const secret = pick(secrets);
      const word =
        chance < 0.001
          ? secret
          : chance < 0.002
            ? secret.slice(0, -1)
            : chance < 0.3
              ? token(3 + below(12))
              : pick(words);
      parts.push(word, below(12) === 0 ? '\n' : ' ');
      size += word.length + 1;
    }
    return parts.join('');
  };
  return { next, below, pick, token, prose };
}
