// `npm run cluster`: three machines on the loopback interface, until Ctrl-C.
import { openLifecycle, StopRequested } from '../../src/commands/up/lifecycle.ts'
import { LocalSetupError } from '../../src/local/setup-error.ts'
import { openCluster } from './cluster.ts'

const note = (line: string) => void process.stdout.write(`  ${line}\n`)

async function main(): Promise<number> {
  const lifecycle = openLifecycle(
    () => note('stopping (Ctrl-C again to force)'),
    () => process.exit(130),
  )
  try {
    const cluster = await lifecycle.open(openCluster(note), (it) => it.close())
    const [entrance = ''] = cluster.entrances
    note(`
  Hearth runs on three machines. Every entrance leads to every server:

    ${cluster.entrances.join('\n    ')}

    curl '${entrance}/api/v1/services'
    kill -9 any process: it comes back, and another takes over meanwhile
    logs and settings are in ${cluster.folder}
`)
    await lifecycle.stopRequested
    return 0
  } catch (error) {
    if (error instanceof StopRequested) return 0
    if (!(error instanceof LocalSetupError)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  } finally {
    await lifecycle.closeAll()
  }
}

process.exit(await main())
