import { PlusIcon } from 'lucide-react'
import { useState } from 'react'
import { isEnter, isEscape } from '../../lib/keyboard/pressed.ts'
import { Button } from '../ui/button.tsx'
import { Input } from '../ui/input.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { Hint } from '../ui/tooltip.tsx'

export function InlineAddButton({ label, onOpen }: { label: string; onOpen: () => void }) {
  return (
    <Hint text={label}>
      <Button variant="ghost" size="icon-sm" aria-label={label} onClick={onOpen} className="text-text-3">
        <PlusIcon />
      </Button>
    </Hint>
  )
}

export interface InlineAddInputProps {
  label: string
  maxLength: number
  pending: boolean
  onSubmit: (text: string) => void
  onClose: () => void
}

export function InlineAddInput({ label, maxLength, pending, onSubmit, onClose }: InlineAddInputProps) {
  const [text, setText] = useState('')
  return (
    <div className="relative px-2 py-1">
      <Input
        ref={focusOnMount}
        aria-label={label}
        placeholder={label}
        value={text}
        maxLength={maxLength}
        readOnly={pending}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => text.trim() === '' && onClose()}
        onKeyDown={(event) => {
          if (isEnter(event)) {
            event.preventDefault()
            onSubmit(text)
          }
          if (isEscape(event)) {
            event.stopPropagation()
            onClose()
          }
        }}
        className="h-7"
      />
      {pending && <Spinner className="absolute top-1/2 right-4 size-3.5 -translate-y-1/2 text-text-3" />}
    </div>
  )
}

function focusOnMount(input: HTMLInputElement | null) {
  input?.focus()
}
