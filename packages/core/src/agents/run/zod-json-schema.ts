/** The one function of zod that agents use. Imported by name: a dynamic import of zod would bundle its 50 languages. */
export { toJSONSchema } from 'zod/v4/core';
