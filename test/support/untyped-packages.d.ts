// Types of a data package, limited to what the tests read.
declare module 'zipcodes/lib/codesCanada.js' {
  export const codes: Readonly<Record<string, { zip: string; latitude: number; longitude: number; city: string }>>
}
