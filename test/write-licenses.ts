// `npm run licenses`: writes LICENSES.md after a change of dependencies.
import { LICENSES_PAGE, licensesPage } from './support/packages.ts'

await Bun.write(LICENSES_PAGE, licensesPage())
