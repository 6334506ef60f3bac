// Where files are kept, from the environment.
import { ConfigError, type Environment, optionalUrl } from '../environment.ts'
import type { S3Config } from './s3.ts'

export interface FilesConfig {
  /** The origin of the addresses of files, if it is not that of the server: without a trailing slash. */
  readonly baseUrl: string | undefined
  /** The folder that all processes share. A bucket, if there is one, takes its place. */
  readonly folder: string
  readonly s3: S3Config | undefined
}

/** Errors name the variable only: some hold secrets. */
export function filesOf(env: Environment): FilesConfig {
  return Object.freeze({
    baseUrl: optionalUrl(env, 'FILES_BASE_URL', ['http:', 'https:'])?.replace(/\/$/, ''),
    folder: env['FILES_FOLDER'] || '.hearth/files',
    s3: s3Of(env),
  })
}

function s3Of(env: Environment): S3Config | undefined {
  const bucket = env['FILES_S3_BUCKET']
  const others = ['FILES_S3_ENDPOINT', 'FILES_S3_REGION', 'FILES_S3_ACCESS_KEY_ID', 'FILES_S3_SECRET_ACCESS_KEY']
  if (!bucket) {
    const extra = others.find((name) => env[name])
    if (extra) throw new ConfigError(`FILES_S3_BUCKET must be set when ${extra} is.`)
    return undefined
  }
  const {
    FILES_S3_REGION: region,
    FILES_S3_ACCESS_KEY_ID: accessKeyId,
    FILES_S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = env
  if (!accessKeyId || !secretAccessKey)
    throw new ConfigError(
      `${accessKeyId ? 'FILES_S3_SECRET_ACCESS_KEY' : 'FILES_S3_ACCESS_KEY_ID'} must be set when FILES_S3_BUCKET is.`,
    )
  const endpoint = optionalUrl(env, 'FILES_S3_ENDPOINT', ['http:', 'https:'])
  return Object.freeze({ bucket, endpoint, region: region || 'us-east-1', accessKeyId, secretAccessKey })
}
