// The environment variables of the storage of files; src/config-variables.ts has all others.
import type { Variable } from '../environment.ts'

export const FILES_VARIABLES: readonly Variable[] = [
  {
    name: 'FILES_FOLDER',
    default: '`.hearth/files`',
    meaning:
      'where pictures and documents are kept without a bucket: a folder that all processes share, [to back up](files.md)',
  },
  {
    name: 'FILES_S3_BUCKET',
    default: 'none',
    meaning: 'the bucket that keeps them instead, of any service that speaks S3; needs the two keys',
  },
  { name: 'FILES_S3_ENDPOINT', default: 'AWS', meaning: 'the address of another service than AWS' },
  { name: 'FILES_S3_REGION', default: '`us-east-1`', meaning: 'the region of the bucket' },
  { name: 'FILES_S3_ACCESS_KEY_ID', default: 'none', meaning: 'the id of the key that reads and writes the bucket' },
  { name: 'FILES_S3_SECRET_ACCESS_KEY', default: 'none', meaning: 'the secret of that key' },
  {
    name: 'FILES_BASE_URL',
    default: 'the same as `BASE_URL`',
    meaning:
      'origin of the addresses of files, such as a CDN in front of `/files`, so that they are not on the host of the pages',
  },
]
