/** Simple formulas between dollar signs as text: `$O(n \log n)$` becomes O(n log n). Others stay as written. */

/** Neither prices nor shell variables: no space inside the signs, no letter or digit after the last one. */
const FORMULA = /(?<![\\$\w])\$(?!\s)([^$\n]{1,120}?)(?<![\s\\])\$(?![\w$])/g;

const SYMBOLS: Readonly<Record<string, string>> = {
  alpha: 'α',
  beta: 'β',
  gamma: 'γ',
  delta: 'δ',
  epsilon: 'ε',
  theta: 'θ',
  lambda: 'λ',
  mu: 'μ',
  pi: 'π',
  rho: 'ρ',
  sigma: 'σ',
  tau: 'τ',
  phi: 'φ',
  omega: 'ω',
  Delta: 'Δ',
  Theta: 'Θ',
  Sigma: 'Σ',
  Omega: 'Ω',
  times: '×',
  cdot: '·',
  div: '÷',
  pm: '±',
  le: '≤',
  leq: '≤',
  ge: '≥',
  geq: '≥',
  ne: '≠',
  neq: '≠',
  approx: '≈',
  equiv: '≡',
  infty: '∞',
  to: '→',
  rightarrow: '→',
  Rightarrow: '⇒',
  in: '∈',
  notin: '∉',
  subset: '⊂',
  cup: '∪',
  cap: '∩',
  forall: '∀',
  exists: '∃',
  sum: '∑',
  prod: '∏',
  int: '∫',
  partial: '∂',
  ldots: '…',
  dots: '…',
  cdots: '…',
  lfloor: '⌊',
  rfloor: '⌋',
  lceil: '⌈',
  rceil: '⌉',
  quad: ' ',
  log: 'log',
  ln: 'ln',
  exp: 'exp',
  sin: 'sin',
  cos: 'cos',
  tan: 'tan',
  min: 'min',
  max: 'max',
  mod: 'mod',
  gcd: 'gcd',
  left: '',
  right: '',
};
const RAISED: Readonly<Record<string, string>> = {
  '0': '⁰',
  '1': '¹',
  '2': '²',
  '3': '³',
  '4': '⁴',
  '5': '⁵',
  '6': '⁶',
  '7': '⁷',
  '8': '⁸',
  '9': '⁹',
  '+': '⁺',
  '-': '⁻',
  n: 'ⁿ',
  i: 'ⁱ',
  k: 'ᵏ',
  m: 'ᵐ',
  x: 'ˣ',
};
const LOWERED: Readonly<Record<string, string>> = {
  '0': '₀',
  '1': '₁',
  '2': '₂',
  '3': '₃',
  '4': '₄',
  '5': '₅',
  '6': '₆',
  '7': '₇',
  '8': '₈',
  '9': '₉',
  '+': '₊',
  '-': '₋',
  i: 'ᵢ',
  j: 'ⱼ',
  k: 'ₖ',
  n: 'ₙ',
  m: 'ₘ',
  x: 'ₓ',
};

export function withFormulas(text: string): string {
  if (!text.includes('$')) return text;
  return text.replace(FORMULA, (whole, formula: string) => formulaText(formula) ?? whole);
}

/** Undefined: not a formula, or one with more than symbols. */
function formulaText(formula: string): string | undefined {
  if (!/^[\w\s\\^{}()[\]|+\-*/=<>,.;:!'≤≥×·]+$/.test(formula)) return undefined;
  // Words are prose or a shell's; a formula has single letters and commands.
  if (/(?<!\\)\b[A-Za-z]{3,}/.test(formula.replace(/\\[A-Za-z]+(?:\{[A-Za-z ]*\})?/g, ' '))) return undefined;
  const plain = formula
    .replace(
      /\\[td]?frac\{([^{}]+)\}\{([^{}]+)\}/g,
      (_, above: string, below: string) => `${grouped(above)}/${grouped(below)}`,
    )
    .replace(/\\sqrt\{([^{}]+)\}/g, (_, inside: string) => `√${grouped(inside)}`)
    .replace(/\\(?:text|mathrm|mathbf|operatorname)\{([^{}]*)\}/g, '$1')
    .replace(/\\([A-Za-z]+) ?/g, (whole, name: string) => symbolFor(name, whole))
    .replace(/\\([,;:! ])/g, ' ')
    .replace(/([_^])(?:\{([^{}]+)\}|(\w))/g, (_, mark: string, group?: string, letter?: string) =>
      shifted(mark, group ?? letter ?? ''),
    )
    .replace(/ {2,}/g, ' ')
    .trim();
  return /[\\{}]/.test(plain) ? undefined : plain;
}

function symbolFor(name: string, whole: string): string {
  const known = Object.hasOwn(SYMBOLS, name) ? SYMBOLS[name] : undefined;
  if (known === undefined) return whole;
  return whole.endsWith(' ') && known !== '' ? `${known} ` : known;
}

/** Raised or lowered where every character has such a form. */
function shifted(mark: string, text: string): string {
  const forms = mark === '^' ? RAISED : LOWERED;
  const moved = [...text].map((character) =>
    Object.hasOwn(forms, character) ? forms[character] : undefined,
  );
  return moved.includes(undefined) ? `${mark}${grouped(text)}` : moved.join('');
}

function grouped(text: string): string {
  return text.length > 1 && /\W/.test(text) ? `(${text})` : text;
}
