// How much random tests do: less by default, more with `HEARTH_TEST_LONG=1 npm test`.

/** The usual amount of cases, kills or seconds, or the long form. */
export const longForm = (usual: number, long: number): number =>
  process.env['HEARTH_TEST_LONG'] === '1' ? long : usual
