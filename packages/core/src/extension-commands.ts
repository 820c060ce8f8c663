/** Functions that `/extensions` needs: installed and public extensions; loaded on first use. */
export { setEnabled } from './extensions/enablement/enablement.js';
export { readGallery } from './extensions/gallery/read-gallery.js';
export { loadExtensions } from './extensions/load/load-extensions.js';
