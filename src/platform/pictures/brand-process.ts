// The program of the process that decodes logos and icons; see isolated-decoder.ts.
import { serveRequests } from '../isolation/program.ts'
import { allowOnlyKnownFormats } from './decode.ts'
import { decodeBrand } from './decode-brand.ts'

allowOnlyKnownFormats()
serveRequests(decodeBrand)
