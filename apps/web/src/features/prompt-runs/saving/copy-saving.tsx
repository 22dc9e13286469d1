import { VERSION_NOTE_MAX } from '@catenary/contracts'
import { SaveIcon } from 'lucide-react'
import { useId } from 'react'
import { ConflictPanel } from '../../../components/forms/conflict-panel.tsx'
import { ShortcutKeys } from '../../../components/shortcut-keys.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Input } from '../../../components/ui/input.tsx'
import { isEnter } from '../../../lib/keyboard/pressed.ts'
import type { SavedCopy } from './use-saved-copy.ts'

export function CopyNote({ copy, isWide }: { copy: SavedCopy; isWide: boolean }) {
  const id = useId()
  const { number, note, setNote, isPending, save, conflict } = copy
  return (
    <div className="grid gap-2">
      <div className="flex items-center gap-2">
        <label htmlFor={id} className="shrink-0 text-sm text-text-2">
          Note<span className="sr-only"> on version {number}</span>
        </label>
        <Input
          id={id}
          placeholder={`Describe what changes in version ${number}`}
          value={note}
          maxLength={VERSION_NOTE_MAX}
          autoComplete="off"
          onChange={(event) => setNote(event.target.value)}
          onKeyDown={(event) => {
            if (!isEnter(event)) return
            event.preventDefault()
            save()
          }}
        />
        {!isWide && <SaveCopyButton copy={copy} />}
      </div>
      {conflict && <ConflictPanel noun="prompt" pending={isPending} {...conflict} />}
    </div>
  )
}

export function SaveCopyButton({ copy: { number, isPending, save } }: { copy: SavedCopy }) {
  return (
    <Button pending={isPending} onClick={save}>
      {!isPending && <SaveIcon />}
      Save as version {number}
      <ShortcutKeys id="save" />
    </Button>
  )
}
