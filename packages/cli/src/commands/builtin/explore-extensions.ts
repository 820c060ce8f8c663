/** `/extensions explore`: the gallery in the browser, or in the terminal with `experimental.extensionRegistry`. */
import { setting } from '@gemini-cli/core';
import { type Action, info } from './define.js';

const GALLERY_PAGE = 'https://geminicli.com/extensions/';

export const explore: Action = async (context) => {
  const { merged } = context.services.settings;
  if (setting(merged, 'experimental.extensionRegistry'))
    return {
      type: 'dialog',
      dialog: 'extensionGallery',
      next: (url) => (typeof url === 'string' ? `/extensions install ${url}` : undefined),
    };
  const isOpen = await context.ui.app.openUrl(GALLERY_PAGE);
  return info(isOpen ? `The gallery opens in your browser: ${GALLERY_PAGE}` : `The gallery: ${GALLERY_PAGE}`);
};
