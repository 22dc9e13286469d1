import { Field } from '../../components/ui/field.tsx'
import { Textarea } from '../../components/ui/textarea.tsx'

export interface CaseValuesProps {
  /** Names that the tested text refers to, then others that the case has values for. */
  names: readonly string[]
  values: Readonly<Record<string, string>>
  onChange: (values: Record<string, string>) => void
}

/** What each name of the tested text stands for; an empty one is left to its variable. */
export function CaseValues({ names, values, onChange }: CaseValuesProps) {
  if (names.length === 0) return null
  return (
    <section aria-label="Values" className="grid gap-3">
      {names.map((name) => (
        <Field key={name} label={<span className="font-mono text-xs text-ref">{name}</span>}>
          <Textarea
            rows={1}
            placeholder="The variable’s stored value"
            value={values[name] ?? ''}
            onChange={(event) => {
              const { [name]: _, ...others } = values
              onChange(event.target.value === '' ? others : { ...others, [name]: event.target.value })
            }}
            className="max-h-40 min-h-8 pointer-coarse:min-h-11"
          />
        </Field>
      ))}
    </section>
  )
}
