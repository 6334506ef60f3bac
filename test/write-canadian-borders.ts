// `npm run canadian-borders`: writes the borders of Canada's provinces, which maps of the search draw, after an update of the package.
import { join } from 'node:path'

import { canadianBorders } from './support/canadian-borders.ts'
import { ROOT } from './support/imports.ts'

const lines = canadianBorders().map((line) => `  ${JSON.stringify(line)}`)
await Bun.write(join(ROOT, 'src/web/public/search/canadian-borders.json'), `[\n${lines.join(',\n')}\n]\n`)
