import { cutText } from '@catenary/domain'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Textarea } from '../../components/ui/textarea.tsx'
import type { StoredValue } from './tested-run.queries.ts'

const SHOWN = 400

export interface CaseValuesProps {
  label?: string
  placeholder?: string
  names: readonly string[]
  values: Readonly<Record<string, string>>
  /** What a run took from variables; it is no part of the case until it is copied into it. */
  stored?: Readonly<Record<string, StoredValue>>
  onChange: (values: Record<string, string>) => void
}

/** The value of each name of the tested text; an empty one is left to its variable. */
export function CaseValues({
  label = 'Values',
  placeholder = 'The variable’s stored value',
  names,
  values,
  stored = {},
  onChange,
}: CaseValuesProps) {
  if (names.length === 0) return null
  return (
    <section aria-label={label} className="grid gap-3">
      {names.map((name) => {
        const { [name]: value = '', ...others } = values
        const write = (text: string) => onChange(text === '' ? others : { ...values, [name]: text })
        return (
          <div key={name} className="grid gap-1.5">
            <Field label={<span className="font-mono text-xs text-ref">{name}</span>}>
              <Textarea
                rows={1}
                placeholder={placeholder}
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

interface StoredValueNoteProps {
  name: string
  stored: StoredValue
  isCopied: boolean
  onCopy: (value: string) => void
}

function StoredValueNote({ name, stored, isCopied, onCopy }: StoredValueNoteProps) {
  const { value, isPrivate } = stored
  if (value === null) return <p className="text-xs text-text-3">It had no value in this run.</p>
  const from = isPrivate ? 'From your variable' : 'From the variable'
  return (
    <section
      aria-label={`Stored value of ${name}`}
      className="grid gap-1 rounded-control bg-inset px-2.5 py-2 text-xs text-text-2"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <span className="font-medium">{from}, in this run:</span>
        {!isCopied && (
          <Button
            variant="ghost"
            size="sm"
            aria-label={`Copy into the test: ${name}`}
            onClick={() => onCopy(value)}
          >
            Copy into the test
          </Button>
        )}
      </div>
      <p className="prompt-text whitespace-pre-wrap wrap-anywhere">{excerptOf(value)}</p>
      <p className="text-text-3">
        {isCopied
          ? isPrivate
            ? 'The test has a value of its own. Everyone who can see the test can read it.'
            : 'The test has a value of its own.'
          : 'Not saved in the test. Each evaluation uses the variable’s value at that time.'}
      </p>
    </section>
  )
}

function excerptOf(value: string): string {
  if (value.length <= SHOWN) return value
  const shown = cutText(value, SHOWN)
  return `${shown}… and ${(value.length - shown.length).toLocaleString('en')} more characters`
}
