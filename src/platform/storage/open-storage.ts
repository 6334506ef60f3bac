// The configured storage.
import type { FilesConfig } from './files-config.ts'
import { openFolder } from './folder.ts'
import { openS3 } from './s3.ts'
import type { Storage } from './storage.ts'

export const openStorage = ({ s3, folder }: FilesConfig): Storage => (s3 ? openS3(s3) : openFolder(folder))
