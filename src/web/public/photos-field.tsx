/** @jsxImportSource preact */
// The last field of a form in which customers may add photos.
import type { VNode } from 'preact'

import { UploadField } from '../ui/upload-field.tsx'
import { MAX_PHOTOS } from './photo-uploads.ts'

interface PhotosFieldProps {
  purpose: 'request' | 'review'
  /** Where the script sends a photo. */
  path: string
  /** What the photos show, and who sees them. */
  hint: string
}

export const PhotosField = ({ purpose, path, hint }: PhotosFieldProps): VNode => (
  <UploadField name="photos" label="Photos" purpose={purpose} path={path} most={MAX_PHOTOS} hint={hint} saysOptional />
)
