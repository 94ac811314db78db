/**
 * What stands for the packages of the bench, which it installs on first use. Their types are not checked,
 * so that the check is the same in a clean checkout and beside them: their declarations change those
 * of the language for all tests.
 */
declare const untyped: any;
export = untyped;
