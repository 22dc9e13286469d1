import { TEST_NAME_MAX, USER_INPUT_MAX } from '@catenary/contracts'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { Textarea } from '../../components/ui/textarea.tsx'
import type { TestedRecord } from './test-suites.queries.ts'

interface TextFieldProps {
  value: string
  onChange: (value: string) => void
}

interface NameFieldProps extends TextFieldProps {
  error?: string | undefined
  placeholder?: string
}

export function NameField({ value, onChange, error, placeholder }: NameFieldProps) {
  return (
    <Field label="Name" error={error}>
      <Input
        autoComplete="off"
        maxLength={TEST_NAME_MAX}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}

export function InputField({ record, value, onChange }: TextFieldProps & { record: TestedRecord }) {
  return (
    <Field label={record.kind === 'chain' ? 'Input of the chain' : 'Added after the prompt'}>
      <Textarea
        rows={2}
        maxLength={USER_INPUT_MAX}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="max-h-40"
      />
    </Field>
  )
}
