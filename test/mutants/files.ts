// Mutants of what people send: pictures and documents.
import type { Mutant } from './mutant.ts'

const DECODE = 'test/platform/pictures/decode.test.ts'
const HOSTILE = 'test/platform/pictures/hostile-files.test.ts'

export const FILES: readonly Mutant[] = [
  {
    guarantee: 'A picture stands as its camera was held.',
    file: 'src/platform/pictures/decode.ts',
    from: '      .autoOrient()\n',
    to: '',
    killedBy: DECODE,
    tests: 'of the camera makes it',
  },
  {
    guarantee: 'A picture with too many pixels is refused before it is decoded.',
    file: 'src/platform/pictures/decode.ts',
    from: 'export const MAX_PIXELS = 50_000_000',
    to: 'export const MAX_PIXELS = 60_000_000',
    killedBy: DECODE,
    tests: 'a few more are refused',
  },
  {
    guarantee: 'A picture that is cut off is refused.',
    file: 'src/platform/pictures/decode.ts',
    from: "failOn: 'error', ",
    to: "failOn: 'none', ",
    killedBy: HOSTILE,
    tests: 'truncated',
  },
  {
    guarantee: 'A script in a document is found however its name is written.',
    file: 'src/platform/pictures/pdf.ts',
    from: 'String.fromCharCode(Number.parseInt(code, 16))',
    to: "''",
    killedBy: HOSTILE,
    tests: 'with escaped names',
  },
  {
    guarantee: 'A script in a compressed part of a document is found.',
    file: 'src/platform/pictures/pdf.ts',
    from: "problem = problemOfObjects(inflated.toString('latin1'))",
    to: 'problem = undefined',
    killedBy: HOSTILE,
    tests: 'in a stream',
  },
  {
    guarantee: 'A document that inflates without an end is refused.',
    file: 'src/platform/pictures/pdf.ts',
    from: 'maxOutputLength: Math.max(1, most)',
    to: 'maxOutputLength: 2 ** 30',
    killedBy: HOSTILE,
    tests: 'bomb in a stream',
  },
  {
    guarantee: 'A document is taken only where documents are.',
    file: 'src/platform/pictures/decode.ts',
    from: "if (!mayBeDocument) return refused('unknown_type')",
    to: '',
    killedBy: HOSTILE,
    tests: 'in the place of a picture',
  },
]
