import { PlusIcon } from 'lucide-react'
import { useAriaKeys } from '../lib/keyboard/shortcuts.ts'
import { useShortcut } from '../lib/keyboard/use-shortcut.ts'
import { ShortcutKeys } from './shortcut-keys.tsx'
import { Button, type ButtonProps } from './ui/button.tsx'

export interface CreateButtonProps extends Pick<ButtonProps, 'variant' | 'disabled'> {
  label: string
  /** On a phone; without it the icon stands alone. */
  short?: string
  onCreate: () => void
}

/** What a page lists is created by it, or by its key. */
export function CreateButton({ label, short, onCreate, ...button }: CreateButtonProps) {
  const keys = useAriaKeys('create')
  useShortcut({ id: 'create', onPress: onCreate })
  return (
    <Button {...button} aria-label={label} aria-keyshortcuts={keys} onClick={onCreate}>
      <PlusIcon />
      {short && <span className="md:hidden">{short}</span>}
      <span className="max-md:hidden">{label}</span>
      <ShortcutKeys id="create" className="max-md:hidden" />
    </Button>
  )
}
