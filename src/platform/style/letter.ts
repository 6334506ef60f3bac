// The letter of a marketplace's mark. Browsers use this, too: it reads no file.

export const A_LETTER = /^[\p{L}\p{N}]$/u

/** The first letter or digit of the name, as a capital. */
export const letterOf = (name: string): string =>
  Array.from(name, (sign) => sign.toUpperCase()).find((sign) => A_LETTER.test(sign)) ?? '•'

/** Where a mark with this letter is served; its address says what it shows. */
export const letterMarkPath = (name: string, accent: string): string =>
  `/assets/mark.svg?v=${accent.slice(1).toLowerCase()}-${encodeURIComponent(letterOf(name))}`
