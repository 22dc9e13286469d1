import { type ReactNode, useMemo, useState } from 'react'
import { DialogSuspense } from '../components/dialog-suspense.tsx'
import { part } from '../components/part.tsx'
import { collectEarlyKeys, takeEarlyKeys } from '../lib/keyboard/early-keys.ts'
import { useShortcut } from '../lib/keyboard/use-shortcut.ts'
import { useSession } from '../lib/session/session.tsx'
import { type AppDialogKind, AppDialogsContext } from './dialogs/app-dialogs.ts'
import { SECTIONS, type Section } from './pages.ts'
import { useGoTo } from './use-go-to.ts'

const loadPalette = () => import('./palette/palette.tsx')
const Palette = part(loadPalette)
const ShortcutSheet = part(() => import('./dialogs/shortcut-sheet.tsx'))
const AdminSettingsDialog = part(() => import('./dialogs/admin-settings-dialog.tsx'))

export function AppDialogsProvider({ children }: { children: ReactNode }) {
  const { isAdmin } = useSession()
  const [kind, setKind] = useState<AppDialogKind | null>(null)
  const [hasPalette, setHasPalette] = useState(false)
  const control = useMemo(
    () => ({
      open: (kind: AppDialogKind) => {
        setKind(kind)
        if (kind !== 'palette') return
        setHasPalette(true)
        if (Palette.code.here()) return
        collectEarlyKeys()
        loadPalette().catch(takeEarlyKeys)
      },
      preloadPalette: () => void loadPalette(),
    }),
    [],
  )
  useShortcut({ id: 'palette', onPress: () => control.open('palette') })
  useShortcut({ id: 'help', onPress: () => control.open('shortcuts') })

  const close = () => {
    takeEarlyKeys()
    setKind(null)
  }
  return (
    <AppDialogsContext value={control}>
      {children}
      {SECTIONS.map((section) => (
        <GoToShortcut key={section.shortcut} section={section} />
      ))}
      {hasPalette && (
        <DialogSuspense>
          <Palette open={kind === 'palette'} onClose={close} />
        </DialogSuspense>
      )}
      {kind === 'shortcuts' && (
        <DialogSuspense>
          <ShortcutSheet sections={SECTIONS} onClose={close} />
        </DialogSuspense>
      )}
      {kind === 'settings' && isAdmin && (
        <DialogSuspense>
          <AdminSettingsDialog onClose={close} />
        </DialogSuspense>
      )}
    </AppDialogsContext>
  )
}

function GoToShortcut({ section: { shortcut, pages } }: { section: Section }) {
  const goTo = useGoTo()
  useShortcut({ id: shortcut, onPress: () => goTo({ path: pages[0].path }) })
  return null
}
