/** Random numbers that are the same in every run. */
export function randomFrom(start: number): (below: number) => number {
  let seed = start;
  return (below) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
}
