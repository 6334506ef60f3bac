// The program of the process that draws share pictures; see isolated-drawing.ts.
import { serveRequests } from '../../isolation/program.ts'
import { allowOnlyDrawings, drawShareCard } from './draw.ts'

allowOnlyDrawings()
serveRequests(drawShareCard)
