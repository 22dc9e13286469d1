import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { Field } from '../../../components/ui/field.tsx'
import { Textarea } from '../../../components/ui/textarea.tsx'
import type { VariableForm } from '../variable-fields.tsx'
import { headersJson, parseHeadersJson } from './variable-headers.ts'

export interface ApiHeadersJsonProps {
  form: UseFormReturn<VariableForm>
  /** Shows names only, and takes no changes. */
  isMasked: boolean
  onEdit: () => void
}

/** The headers as one JSON text; what is not valid stays in the text and is refused on saving. */
export function ApiHeadersJson({ form, isMasked, onEdit }: ApiHeadersJsonProps) {
  const rows = form.watch('headers')
  const invalid = form.watch('headersJson')
  const [written, setWritten] = useState('')
  const canonical = headersJson({ rows, masked: false })
  // The typed text keeps its spacing as long as it means the same as the form.
  const isSame = headersJson({ rows: parseHeadersJson(written) ?? [], masked: false }) === canonical
  const text = invalid ?? (isSame && written !== '' ? written : canonical)
  const write = (json: string) => {
    onEdit()
    setWritten(json)
    const parsed = parseHeadersJson(json)
    if (parsed) form.setValue('headers', parsed, { shouldDirty: true })
    form.setValue('headersJson', parsed ? null : json, {
      shouldDirty: true,
      shouldValidate: form.formState.isSubmitted,
    })
  }
  return (
    <Field label="Headers as JSON" hideLabel error={form.formState.errors.headersJson?.message}>
      <Textarea
        rows={4}
        readOnly={isMasked}
        value={isMasked ? headersJson({ rows, masked: true }) : text}
        placeholder={'{\n  "Authorization": "Bearer …"\n}'}
        spellCheck={false}
        onChange={(event) => write(event.target.value)}
        className="prompt-text max-h-60 min-h-24"
      />
    </Field>
  )
}
