import type { Category, ListedPrompt } from '@catenary/contracts'
import type { LucideIcon } from 'lucide-react'
import type { Theme } from '../../lib/appearance/theme.ts'
import type { ShortcutId } from '../../lib/keyboard/shortcuts.ts'
import type { Session } from '../../lib/session/session.tsx'
import type { AppDialogKind } from '../dialogs/app-dialogs.ts'
import type { Destination } from '../use-go-to.ts'

export interface PaletteCommand {
  id: string
  label: string
  Icon: LucideIcon
  hint?: string
  shortcut?: ShortcutId
  /** Absent if it only asks for more: `fill` is then what the field says. */
  run?: () => void
  fill?: string
  /** What is asked next, in place of all that can be done. */
  choices?: PaletteChoices
}

export interface PaletteChoices {
  heading: string
  commands: readonly PaletteCommand[]
}

export interface PaletteActions {
  goTo: (destination: Destination) => void
  /** Asks a guest to log in instead. */
  guard: (action: () => void) => void
  openDialog: (kind: AppDialogKind) => void
  openAccountDialog: (kind: 'login' | 'register') => void
  chooseTheme: (theme: Theme) => void
  logOut: () => void
  addCategory: (name: string) => void
  moveTo: (move: { prompt: ListedPrompt; category: Category }) => void
}

export interface PaletteContext extends Session {
  path: string
  /** The prompt in view: in a dialog, or the one that the page is of. */
  promptId: number | null
  theme: Theme
  canRegister: boolean
}
