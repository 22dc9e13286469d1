import { INVALID_HEADERS } from '@catenary/contracts'
import { EyeIcon, EyeOffIcon, PlusIcon } from 'lucide-react'
import { useId, useState } from 'react'
import { type UseFormReturn, useFieldArray } from 'react-hook-form'
import { RemoveButton } from '../../../components/remove-button.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { SegmentedControl, SegmentedControlItem } from '../../../components/ui/segmented-control.tsx'
import { Textarea } from '../../../components/ui/textarea.tsx'
import { toast } from '../../../lib/toast.ts'
import type { VariableForm } from '../variable-fields.tsx'
import { headersJson, parseHeadersJson } from './variable-headers.ts'

export function ApiHeaders({ form }: { form: UseFormReturn<VariableForm> }) {
  const [isJson, setIsJson] = useState(form.getValues('headersJson') !== null)
  const [isRevealed, setIsRevealed] = useState(false)
  const hasValues = form.watch('headers').some(({ value }) => value !== '')
  const showRows = () => {
    if (form.getValues('headersJson') === null) setIsJson(false)
    else toast({ title: 'Invalid Headers Format', description: INVALID_HEADERS, variant: 'destructive' })
  }
  return (
    <section aria-label="API Headers" className="grid gap-1.5">
      <div className="flex flex-wrap items-center justify-between gap-x-2 gap-y-1">
        <h3 className="text-xs font-medium tracking-normal text-text-2">API Headers</h3>
        <div className="flex items-center gap-1.5">
          {hasValues && (
            <Button variant="ghost" size="sm" onClick={() => setIsRevealed(!isRevealed)}>
              {isRevealed ? <EyeOffIcon /> : <EyeIcon />}
              {isRevealed ? 'Hide values' : 'Show values'}
            </Button>
          )}
          <SegmentedControl
            aria-label="Edit headers as"
            value={isJson ? 'json' : 'rows'}
            onValueChange={(view) => (view === 'json' ? setIsJson(true) : showRows())}
          >
            <SegmentedControlItem value="rows">Rows</SegmentedControlItem>
            <SegmentedControlItem value="json">JSON</SegmentedControlItem>
          </SegmentedControl>
        </div>
      </div>
      {isJson ? (
        <ApiHeadersJson form={form} isMasked={hasValues && !isRevealed} onEdit={() => setIsRevealed(true)} />
      ) : (
        <HeaderRows form={form} isRevealed={isRevealed} />
      )}
      <p className="text-xs text-text-3">
        Stored encrypted. Only you and admins see the values; they are never kept in a draft.
      </p>
    </section>
  )
}

function HeaderRows({ form, isRevealed }: { form: UseFormReturn<VariableForm>; isRevealed: boolean }) {
  const { control, register, formState } = form
  const { fields, append, remove } = useFieldArray({ control, name: 'headers' })
  const id = useId()
  return (
    <>
      {fields.map((field, index) => {
        const problem = formState.errors.headers?.[index]
        const message = problem?.name?.message ?? problem?.value?.message
        const describedBy = message ? `${id}-${index}` : undefined
        return (
          <div key={field.id} className="grid gap-1">
            <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-1.5 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]">
              <Input
                aria-label={`Name of header ${index + 1}`}
                aria-invalid={problem?.name ? true : undefined}
                aria-describedby={describedBy}
                placeholder="Authorization"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                {...register(`headers.${index}.name`)}
              />
              <Input
                type={isRevealed ? 'text' : 'password'}
                aria-label={`Value of header ${index + 1}`}
                aria-invalid={problem?.value ? true : undefined}
                aria-describedby={describedBy}
                placeholder="Bearer …"
                // A browser must not offer to keep it as a password of this site.
                autoComplete="new-password"
                spellCheck={false}
                className="font-mono max-sm:col-span-2 max-sm:row-start-2"
                {...register(`headers.${index}.value`)}
              />
              <RemoveButton
                label={`Remove header ${index + 1}`}
                onClick={() => remove(index)}
                className="max-sm:col-start-2 max-sm:row-start-1"
              />
            </div>
            {message && (
              <p id={describedBy} role="alert" className="text-xs text-danger">
                {message}
              </p>
            )}
          </div>
        )
      })}
      <Button
        variant="secondary"
        size="sm"
        className="justify-self-start"
        onClick={() => append({ name: '', value: '' })}
      >
        <PlusIcon />
        Add header
      </Button>
    </>
  )
}

interface ApiHeadersJsonProps {
  form: UseFormReturn<VariableForm>
  isMasked: boolean
  onEdit: () => void
}

/** The headers as one JSON text; what is not valid stays in the text and is refused on saving. */
function ApiHeadersJson({ form, isMasked, onEdit }: ApiHeadersJsonProps) {
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
