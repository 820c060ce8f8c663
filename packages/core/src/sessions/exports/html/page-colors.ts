/** Colours and fonts of the page; print is always light. */
const LIGHT = `
  --paper: #fcfbf9; --card: #ffffff; --ink: #22242b; --soft: #5a5f6b; --faint: #838895; --line: #e6e3dd;
  --tint: #eef0fb; --code: #f4f2ee; --hover: #f8f6f2; --accent: #4a55c4; --on-accent: #ffffff;
  --banner: linear-gradient(90deg, #23264f, #40388f 55%, #6a4aa8); --banner-ink: #f6f5ff;
  --plus: #1a7f4b; --plus-tint: #e5f5ea; --minus: #c2333f; --minus-tint: #fcebea;
  --warn: #a86400; --warn-tint: #fdf3e0; --magenta: #9a3ba8; --cyan: #0f7d8c;`;

const DARK = `
  --paper: #15161b; --card: #1a1c22; --ink: #e4e5ea; --soft: #a5a9b6; --faint: #7d8290; --line: #2c2f38;
  --tint: #20233a; --code: #1e2027; --hover: #20222a; --accent: #9aa5ff; --on-accent: #15161b;
  --banner: linear-gradient(90deg, #1a1c38, #2d2864 55%, #4a3578); --banner-ink: #eeedfb;
  --plus: #5fcf8f; --plus-tint: #17301f; --minus: #f2838a; --minus-tint: #3a1d20;
  --warn: #e5b15c; --warn-tint: #33281a; --magenta: #d78be4; --cyan: #5cc7d6;`;

export const PAGE_COLORS = `
:root {${LIGHT}
  --sans: Inter, ui-sans-serif, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", system-ui, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  color-scheme: light dark;
}
@media screen and (prefers-color-scheme: dark) { :root {${DARK} } }
`;
