import { VERSION_NOTE_MAX } from '@catenary/contracts'
import type { ComponentProps } from 'react'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'

export interface VersionNoteFieldProps extends ComponentProps<'input'> {
  version: number
  error: string | undefined
}

export function VersionNoteField({ version, error, ...props }: VersionNoteFieldProps) {
  return (
    <Field label="Note" hint={`Describe version ${version} in one line.`} error={error}>
      <Input autoComplete="off" maxLength={VERSION_NOTE_MAX} {...props} />
    </Field>
  )
}
