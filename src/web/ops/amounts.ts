// Formats durations, rates and sizes for operators.

const digits = (value: number) => (value >= 100 ? 0 : value >= 10 ? 1 : 2)

/** Formats seconds: "480 µs", "4.2 ms", "1.5 s", "12 min". */
export function duration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return '–'
  if (seconds === 0) return '0'
  if (seconds < 0.000_999_5) return `${Math.max(1, Math.round(seconds * 1e6))} µs`
  if (seconds < 0.9995) return `${fixed(seconds * 1000)} ms`
  if (seconds < 99.95) return `${fixed(seconds)} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`
}

const fixed = (value: number) => String(Number(value.toFixed(digits(value))))

/** Formats a rate per second: "0", "0.05", "12.3", "1,240". */
export const rate = (perSecond: number): string =>
  perSecond >= 1000 ? Math.round(perSecond).toLocaleString('en-US') : fixed(perSecond)

/** Formats a share: "0.3%". */
export const share = (part: number): string => `${fixed(part * 100)}%`

/** Formats bytes: "182 MB". */
export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
