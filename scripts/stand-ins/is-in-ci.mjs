// Ink draws nothing when it believes to be in CI. Whether the screen is used is decided by our own flags.
export default false;
