// The program of the process that decodes what people sent; see isolated-decoder.ts.
import { serveRequests } from '../isolation/program.ts'
import { allowOnlyKnownFormats, decode } from './decode.ts'

allowOnlyKnownFormats()
serveRequests(decode)
