import { SearchIcon } from 'lucide-react'
import { ShortcutKeys } from '../../components/shortcut-keys.tsx'
import { Button } from '../../components/ui/button.tsx'
import { useAriaKeys } from '../../lib/keyboard/shortcuts.ts'
import { useAppDialogs } from '../dialogs/app-dialogs.ts'

/** Opens the palette by pointer, and shows how to by keyboard. */
export function PaletteButton() {
  const { open, preloadPalette } = useAppDialogs()
  return (
    <Button
      variant="ghost"
      size="sm"
      aria-label="Command palette"
      aria-keyshortcuts={useAriaKeys('palette')}
      onClick={() => open('palette')}
      onPointerEnter={preloadPalette}
      onFocus={preloadPalette}
      className="gap-1.5 px-1.5 text-text-3"
    >
      <SearchIcon />
      <ShortcutKeys id="palette" />
    </Button>
  )
}
