import { type ShortcutId, shortcutLabels, useShortcutOn } from '../lib/keyboard/shortcuts.ts'
import { Kbd } from './ui/kbd.tsx'

export function ShortcutKeys({ id, className }: { id: ShortcutId; className?: string }) {
  const isOn = useShortcutOn(id)
  if (!isOn) return null
  return shortcutLabels(id).map((label) => (
    <Kbd key={label} {...(className === undefined ? {} : { className })}>
      {label}
    </Kbd>
  ))
}
