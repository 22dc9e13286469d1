import { describeUnknownPath, type JsonSchema } from '@catenary/domain'
import { createContext, useContext, useId, useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { Input } from '../../../components/ui/input.tsx'

export const AnswerSchema = createContext<JsonSchema | undefined>(undefined)

export interface PathFieldProps {
  value: string
  onChange: (value: string) => void
}

/** Which field of an answer in JSON an assertion looks at, and whether the schema has it; of a text it is asked for only on demand. */
export function PathField({ value, onChange }: PathFieldProps) {
  const schema = useContext(AnswerSchema)
  const [isOpen, setIsOpen] = useState(value !== '' || schema !== undefined)
  const id = useId()
  const unknown = schema && describeUnknownPath({ path: value.trim(), schema })
  if (!isOpen) {
    return (
      <Button
        variant="ghost"
        size="sm"
        className="justify-self-start text-text-3"
        onClick={() => setIsOpen(true)}
      >
        One field of it
      </Button>
    )
  }
  return (
    <div className="grid gap-1">
      <div className="flex min-w-0 items-center gap-2 text-sm text-text-3">
        <label htmlFor={id}>Field</label>
        <Input
          id={id}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="the whole answer"
          value={value}
          aria-describedby={unknown && `${id}-unknown`}
          onChange={(event) => onChange(event.target.value)}
          className="min-w-0 flex-1 font-mono text-xs"
        />
      </div>
      {unknown && (
        <p id={`${id}-unknown`} role="status" className="text-xs text-warn wrap-anywhere">
          {unknown}.
        </p>
      )}
    </div>
  )
}
