import type { UseFormRegisterReturn } from 'react-hook-form'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'

export interface OutputNameFieldProps {
  field: UseFormRegisterReturn
  value: string
  error: string | undefined
  /** What later steps usually take of it, such as `.decision`. */
  part?: string
}

export function OutputNameField({ field, value, error, part = '' }: OutputNameFieldProps) {
  return (
    <Field
      label="Output variable name"
      error={error}
      hint={
        error ? null : (
          <>
            Later steps use it as{' '}
            <code className="rounded-[4px] bg-out-soft px-1 text-out">{`{{${value || 'name'}${part}}}`}</code>
          </>
        )
      }
    >
      <Input
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="font-mono text-xs"
        {...field}
      />
    </Field>
  )
}
