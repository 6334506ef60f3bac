// Programs of the distribution that single tests need.
import { aptInstall, isAvailableInApt } from '../../src/local/apt.ts'

/** The time limit of a hook that may have to install a program first. */
export const INSTALL_MS = 300_000

const note = (line: string) => process.stderr.write(`hearth: ${line}\n`)

/** Ensures that the programs of a package are installed. On Debian, root installs it. Throws with what to install. */
export async function ensurePrograms(packageName: string, programs: readonly string[]): Promise<void> {
  const isInstalled = () => programs.every((program) => Bun.which(program))
  if (isInstalled()) return
  if (process.getuid?.() === 0 && Bun.which('apt-get'))
    await aptInstall(async () => ((await isAvailableInApt(packageName)) ? [packageName] : undefined), note)
  if (!isInstalled())
    throw new Error(
      `This test needs ${programs.join(' and ')}: \`apt-get install ${packageName}\`, or \`brew install ${packageName}\`.`,
    )
}
