// `bun src/web/ui/build-assets.ts [folder]` writes the bundles for the image, where servers read them instead of bundling.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { BUILT, bundleAll } from './bundles.ts'

const [folder = BUILT] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
for (const [name, text] of await bundleAll()) writeFileSync(join(folder, name), text)
