/**
 * A package that the main package.json does not install: a command installs it on first use, into its
 * own folder. Its types are not checked, so that the check is the same in a clean checkout.
 */
declare module 'typedoc';
