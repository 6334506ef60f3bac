// The version of this build, as package.json has it.
import manifest from '../../package.json'

/** Such as `0.2.0`. */
export const VERSION: string = manifest.version

/** Whether version `a` is newer than `b`, by the order of semantic versioning. */
export const isNewer = (a: string, b: string): boolean => Bun.semver.order(a, b) > 0
