/**
 * The page's only script: it fetches the page again when something has changed, and replaces the parts that have an id.
 * Without it everything can still be read and every form works.
 */
export const PAGE_SCRIPT = `
const PARTS = ['head', 'tasks', 'conversation', 'pending'];
async function refresh() {
  const response = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined);
  if (!response || !response.ok) return false;
  const next = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const id of PARTS) {
    const [old, fresh] = [document.getElementById(id), next.getElementById(id)];
    // What the user is typing stays.
    if (!old || !fresh || old.innerHTML === fresh.innerHTML || old.contains(document.activeElement)) continue;
    const open = [...old.querySelectorAll('details')].map((details) => details.open);
    old.replaceWith(fresh);
    [...fresh.querySelectorAll('details')].forEach((details, index) => { if (index < open.length) details.open = open[index]; });
  }
  return true;
}
if (document.body.dataset.live === 'list') {
  setInterval(() => { if (!document.hidden) refresh(); }, 2000);
} else if (document.body.dataset.live === 'task') {
  const live = document.getElementById('live');
  const events = new EventSource(location.pathname + '/events?seen=' + encodeURIComponent(document.body.dataset.seen));
  events.addEventListener('text', ({ data }) => { live.append(JSON.parse(data)); });
  events.addEventListener('changed', async () => {
    // The new page holds what was said before the change; what is said while it is fetched stays.
    const said = [...live.childNodes];
    if (await refresh()) for (const text of said) text.remove();
  });
}
`;
