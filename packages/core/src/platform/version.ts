/** The version of this build. The build replaces `__VERSION__`; from source it is 0.0.0. */
declare const __VERSION__: string | undefined;

export const VERSION: string = typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0';
