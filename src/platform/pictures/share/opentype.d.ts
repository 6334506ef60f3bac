// What lettering.ts uses of a package without types: those that others wrote for it bring the types of browsers into the server.
declare module 'opentype.js' {
  export type PathCommand =
    | { type: 'M' | 'L'; x: number; y: number }
    | { type: 'Q'; x1: number; y1: number; x: number; y: number }
    | { type: 'C'; x1: number; y1: number; x2: number; y2: number; x: number; y: number }
    | { type: 'Z' }
  export interface Font {
    /** 0 for a character that the font lacks. */
    charToGlyphIndex(character: string): number
    getAdvanceWidth(text: string, size: number): number
    getPath(text: string, x: number, y: number, size: number): { commands: PathCommand[] }
  }
  export function parse(bytes: ArrayBuffer): Font
}
