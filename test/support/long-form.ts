// The amount of work of random tests: less by default, more with `HEARTH_TEST_LONG=1 npm test`.

/** The number of cases, kills or seconds: `usual`, or `long` in the long form. */
export const longForm = (usual: number, long: number): number =>
  process.env['HEARTH_TEST_LONG'] === '1' ? long : usual
