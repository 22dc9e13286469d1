import { InfoIcon } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Field } from '../../../components/ui/field.tsx'
import { Textarea } from '../../../components/ui/textarea.tsx'
import { type ReadView, whyOnlyJson } from './schema-view.ts'

export interface SchemaTextFieldProps {
  text: string
  read: ReadView
  /** It is about to be replaced: all of it is selected. */
  isForPaste: boolean
  onChange: (text: string) => void
}

const EXAMPLE = `{
  "type": "object",
  "properties": { "summary": { "type": "string" } },
  "required": ["summary"],
  "additionalProperties": false
}`

/** The schema as one JSON text, with the place at which it is none, or why it can't be shown as fields. */
export function SchemaTextField({ text, read, isForPaste, onChange }: SchemaTextFieldProps) {
  const { schema, rows, problems, notes } = read
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (!isForPaste) return
    field.current?.focus()
    field.current?.select()
  }, [isForPaste])
  return (
    <div className="grid gap-2">
      <Field label="JSON schema" hideLabel error={problems[0]}>
        <Textarea
          ref={field}
          rows={10}
          value={text}
          placeholder={EXAMPLE}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="none"
          onChange={(event) => onChange(event.target.value)}
          className="prompt-text max-h-[min(24rem,55dvh)] min-h-40"
        />
      </Field>
      {problems.length > 1 && <ProblemList problems={problems.slice(1)} />}
      {schema !== null && rows === null && <Note>Stays as JSON: {whyOnlyJson(schema)}.</Note>}
      {notes.map(({ vendor, path, message }) => (
        <Note key={`${vendor} ${path} ${message}`}>
          {path === '' ? '' : `${path}: `}
          {message}.
        </Note>
      ))}
    </div>
  )
}

function ProblemList({ problems }: { problems: readonly string[] }) {
  return (
    <ul className="grid gap-1 text-xs wrap-anywhere text-danger">
      {problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  )
}

function Note({ children }: { children: ReactNode }) {
  return (
    <p className="flex gap-1.5 text-xs text-text-3 [&_svg]:mt-px [&_svg]:size-3.5 [&_svg]:shrink-0">
      <InfoIcon />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  )
}
