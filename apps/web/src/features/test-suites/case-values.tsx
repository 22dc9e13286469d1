import { Field } from '../../components/ui/field.tsx'
import { Textarea } from '../../components/ui/textarea.tsx'
import { StoredValueNote } from './stored-value-note.tsx'
import type { StoredValue } from './tested-run.queries.ts'

export interface CaseValuesProps {
  /** Names that the tested text refers to, then others that the case has values for. */
  names: readonly string[]
  values: Readonly<Record<string, string>>
  /** What a run took from variables; it is no part of the case until it is copied into it. */
  stored?: Readonly<Record<string, StoredValue>>
  onChange: (values: Record<string, string>) => void
}

/** The value of each name of the tested text; an empty one is left to its variable. */
export function CaseValues({ names, values, stored = {}, onChange }: CaseValuesProps) {
  if (names.length === 0) return null
  return (
    <section aria-label="Values" className="grid gap-3">
      {names.map((name) => {
        const { [name]: value = '', ...others } = values
        const write = (text: string) => onChange(text === '' ? others : { ...values, [name]: text })
        return (
          <div key={name} className="grid gap-1.5">
            <Field label={<span className="font-mono text-xs text-ref">{name}</span>}>
              <Textarea
                rows={1}
                placeholder="The variable’s stored value"
                value={value}
                onChange={(event) => write(event.target.value)}
                className="max-h-40 min-h-8 pointer-coarse:min-h-11"
              />
            </Field>
            {stored[name] && (
              <StoredValueNote name={name} stored={stored[name]} isCopied={value !== ''} onCopy={write} />
            )}
          </div>
        )
      })}
    </section>
  )
}
