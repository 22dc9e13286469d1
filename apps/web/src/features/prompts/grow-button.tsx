import { Maximize2Icon } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { useAriaKeys } from '../../lib/keyboard/shortcuts.ts'
import { useShortcut } from '../../lib/keyboard/use-shortcut.ts'

/** Expands the dialog that it is in to a page. */
export function GrowButton({ onClick }: { onClick: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  const keys = useAriaKeys('grow')
  useShortcut({ id: 'grow', within: button, onPress: onClick })
  return (
    <Button
      ref={button}
      variant="ghost"
      size="icon-sm"
      aria-label="Open as a page"
      aria-keyshortcuts={keys}
      onClick={onClick}
      className="-mt-0.5 pointer-coarse:-mt-2.5"
    >
      <Maximize2Icon />
    </Button>
  )
}
