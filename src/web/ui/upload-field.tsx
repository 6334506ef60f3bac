/** @jsxImportSource preact */
// A field for pictures: sent with its form, or at once by upload.js, which shows what became of each.
import type { VNode } from 'preact'
import { useContext } from 'preact/hooks'

import type { Purpose } from '../../features/files/files/rules/purposes.ts'
import { isUuid } from '../../platform/schema/types.ts'
import { type Field, Labelled, useAttributes } from './fields.tsx'
import { FormContext } from './form.tsx'

interface UploadFieldProps extends Pick<Field, 'name' | 'label'> {
  purpose: Purpose
  /** How many pictures at once. */
  most?: number
  /** What the pictures are for. */
  hint?: string
  /** Where the fields around it are required. */
  saysOptional?: boolean
  /** Where the script sends a picture, and asks what became of it. */
  path?: string
}

/**
 * A field to choose or take pictures. The files of a form that is shown again are kept: the field has a box with the id of each,
 * which takes it out when it is not ticked. It belongs into a `Form` that `hasFiles`, on a page with `upload.js`.
 */
export const UploadField = ({
  name,
  label,
  purpose,
  hint,
  saysOptional = false,
  path = '/console/files',
  most = 1,
}: UploadFieldProps): VNode => {
  const limit = `JPEG, PNG, WebP or AVIF, up to 15 MB${most > 1 ? ` each, at most ${most} at once` : ''}.`
  const field = { name, label, isOptional: true, saysOptional, hint: hint ? `${hint} ${limit}` : limit }
  const kept = useContext(FormContext).formState.values.getAll(name).filter(isUuid)
  return (
    <Labelled field={field}>
      <input
        {...useAttributes(field)}
        type="file"
        accept="image/*"
        multiple={most > 1}
        data-upload={purpose}
        data-path={path}
        data-most={most}
      />
      <div class="uploads" role="status" aria-label={`Uploads for ${label}`}>
        {kept.slice(0, most).map((id) => (
          <p>
            <label class="tick">
              <input type="checkbox" name={name} value={id} checked /> Your picture is uploaded.
            </label>
          </p>
        ))}
      </div>
    </Labelled>
  )
}
