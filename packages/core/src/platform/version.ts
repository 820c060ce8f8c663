/** The version of this build. The build replaces `__VERSION__`; run from source, there is none. */
declare const __VERSION__: string | undefined;

export const VERSION: string = typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0';
