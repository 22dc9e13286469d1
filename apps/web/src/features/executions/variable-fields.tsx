import type { VariableType } from '@catenary/contracts'
import { CloudIcon, FileTextIcon, GlobeIcon, type LucideIcon, TypeIcon } from 'lucide-react'
import { useId } from 'react'
import { Textarea } from '../../components/ui/textarea.tsx'
import type { VariableField } from './execution-form.ts'

const TYPES: Record<VariableType, { label: string; Icon: LucideIcon }> = {
  text: { label: 'text', Icon: TypeIcon },
  file: { label: 'file', Icon: FileTextIcon },
  api: { label: 'API', Icon: GlobeIcon },
  googleDrive: { label: 'Google Drive', Icon: CloudIcon },
}

export interface VariableFieldsProps {
  fields: readonly VariableField[]
  onChange: (value: { name: string; value: string }) => void
}

/** The template's references, each with its kind and the value of this run. */
export function VariableFields({ fields, onChange }: VariableFieldsProps) {
  const withValue = fields.filter(({ value }) => value !== '').length
  return (
    <section aria-label="Variables" className="grid gap-2.5">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-sm font-medium tracking-normal text-text-2">Variables</h2>
        <p className="text-sm text-text-3">
          {fields.length === 0 ? 'none in this template' : `${withValue} of ${fields.length} have values`}
        </p>
      </div>
      {fields.map((field) => (
        <VariableRow
          key={field.name}
          field={field}
          onChange={(value) => onChange({ name: field.name, value })}
        />
      ))}
    </section>
  )
}

function VariableRow({ field, onChange }: { field: VariableField; onChange: (value: string) => void }) {
  const id = useId()
  const { name, type, value, changed, stored, problem } = field
  const kind = type && TYPES[type]
  return (
    <div className="grid items-start gap-x-4 gap-y-1.5 @md:grid-cols-[140px_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-wrap items-baseline justify-between gap-x-2 @md:grid @md:pt-px">
        <label htmlFor={id} className="truncate text-base leading-5 font-medium">
          {name}
        </label>
        <p id={`${id}-kind`} className="flex items-center gap-1 text-xs leading-4 text-text-3">
          {kind ? <kind.Icon className="size-3" /> : null}
          {kind ? kind.label : 'not in the library'}
          {changed && (
            <>
              {' · '}
              <button
                type="button"
                className="relative text-accent-text underline-offset-3 after:absolute after:-inset-1 hover:underline pointer-coarse:after:-inset-3"
                onClick={() => onChange(stored ?? '')}
              >
                use the stored value
              </button>
            </>
          )}
        </p>
      </div>
      <div className="grid min-w-0 gap-1">
        <Textarea
          id={id}
          rows={1}
          value={value}
          aria-describedby={`${id}-kind`}
          placeholder={type === null ? `Variable ${name} not defined in system` : ''}
          onChange={(event) => onChange(event.target.value)}
          className="max-h-32 min-h-8 resize-none py-[5px] pointer-coarse:min-h-11 pointer-coarse:py-2.5"
        />
        {problem && <p className="text-xs text-danger wrap-anywhere">{problem}</p>}
      </div>
    </div>
  )
}
