import { expect, it } from 'vitest';
import { withFormulas } from './math.js';

it.each([
  ['It is $O(n \\log n)$ here.', 'It is O(n log n) here.'],
  ['$O(n^2)$ and $x_i$', 'O(n²) and xᵢ'],
  ['$2^{n+1} \\le 5 \\times 10^{-3}$', '2ⁿ⁺¹ ≤ 5 × 10⁻³'],
  ['$\\frac{a+b}{2}$, $\\sqrt{n}$', '(a+b)/2, √n'],
  ['$\\lfloor n/2 \\rfloor$', '⌊ n/2 ⌋'],
  ['$2^{10a}$', '2^10a'],
])('draws the formula %j as text', (text, drawn) => {
  expect(withFormulas(text)).toBe(drawn);
});

it.each([
  'It costs $5 and $10.',
  '$HOME/$PATH and $USER$',
  'echo $a$b',
  '$5-$10',
  '$\\begin{matrix}a\\end{matrix}$',
  'a $ b $ c',
  '$$x$$',
])('leaves %j as it is', (text) => {
  expect(withFormulas(text)).toBe(text);
});
