import { useId } from 'react'
import { useSingleKeys } from '../lib/keyboard/single-keys.ts'
import { Label } from './ui/label.tsx'
import { Switch } from './ui/switch.tsx'

/** Turns single-character shortcuts off, for people who trigger them by speech input or by accident. */
export function ShortcutSwitch() {
  const [areOn, turn] = useSingleKeys()
  const id = useId()
  return (
    <div className="flex items-center justify-between gap-4">
      <div className="grid gap-0.5">
        <Label htmlFor={id} className="text-sm text-text">
          Single-key shortcuts
        </Label>
        <p id={`${id}-description`} className="text-xs text-text-3">
          For example, “n” for new. Saved on this device.
        </p>
      </div>
      <Switch id={id} aria-describedby={`${id}-description`} checked={areOn} onCheckedChange={turn} />
    </div>
  )
}
