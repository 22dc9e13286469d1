import { lazy, type ReactNode, useMemo, useState } from 'react'
import { DialogSuspense } from '../components/dialog-suspense.tsx'
import { useSession } from '../lib/session.tsx'
import { useShortcut } from '../lib/use-shortcut.ts'
import { type AppDialogKind, AppDialogsContext } from './dialogs/app-dialogs.ts'
import { useGoTo } from './use-go-to.ts'

const loadPalette = () => import('./palette/palette.tsx')
const Palette = lazy(loadPalette)
const ShortcutSheet = lazy(() => import('./dialogs/shortcut-sheet.tsx'))
const SettingsDialog = lazy(() => import('./dialogs/settings-dialog.tsx'))

/** Holds the dialogs that belong to no page, and answers the shortcuts that work on all of them. */
export function AppDialogsProvider({ children }: { children: ReactNode }) {
  const { user } = useSession()
  const [kind, setKind] = useState<AppDialogKind | null>(null)
  const [hasPalette, setHasPalette] = useState(false)
  const control = useMemo(
    () => ({
      open: (kind: AppDialogKind) => {
        setKind(kind)
        if (kind === 'palette') setHasPalette(true)
      },
      preloadPalette: () => void loadPalette(),
    }),
    [],
  )
  const goTo = useGoTo()
  useShortcut({ id: 'palette', onPress: () => control.open('palette') })
  useShortcut({ id: 'help', onPress: () => control.open('shortcuts') })
  useShortcut({ id: 'goToPrompts', onPress: () => goTo({ path: '/' }) })
  useShortcut({ id: 'goToVariables', onPress: () => goTo({ path: '/variables' }) })
  useShortcut({ id: 'goToChains', onPress: () => goTo({ path: '/chains' }) })

  const close = () => setKind(null)
  return (
    <AppDialogsContext value={control}>
      {children}
      {hasPalette && (
        <DialogSuspense>
          <Palette open={kind === 'palette'} onClose={close} />
        </DialogSuspense>
      )}
      {kind === 'shortcuts' && (
        <DialogSuspense>
          <ShortcutSheet onClose={close} />
        </DialogSuspense>
      )}
      {kind === 'settings' && user && (
        <DialogSuspense>
          <SettingsDialog onClose={close} />
        </DialogSuspense>
      )}
    </AppDialogsContext>
  )
}
