/** The page's only script, which folds and unfolds. The content security policy allows only its hash. */
export const PAGE_SCRIPT = `
const button = document.querySelector('#fold');
const all = document.querySelectorAll('main details:not(.arguments)');
let isOpen = false;
button.hidden = all.length === 0;
button.addEventListener('click', () => {
  isOpen = !isOpen;
  for (const details of all) details.open = isOpen;
  button.textContent = isOpen ? 'Fold all' : 'Unfold all';
});
`;
