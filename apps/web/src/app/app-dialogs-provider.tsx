import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useSession } from '../lib/session.tsx'
import { useShortcut } from '../lib/use-shortcut.ts'
import { type AppDialogKind, AppDialogsContext } from './dialogs/app-dialogs.ts'
import { SECTIONS, type Section } from './pages.ts'
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
  useShortcut({ id: 'palette', onPress: () => control.open('palette') })
  useShortcut({ id: 'help', onPress: () => control.open('shortcuts') })

  const close = () => setKind(null)
  return (
    <AppDialogsContext value={control}>
      {children}
      {SECTIONS.map((section) => (
        <GoToShortcut key={section.shortcut} section={section} />
      ))}
      {hasPalette && (
        <Suspense fallback={<PaletteFallback />}>
          <Palette open={kind === 'palette'} onClose={close} />
        </Suspense>
      )}
      {kind === 'shortcuts' && (
        <Suspense>
          <ShortcutSheet sections={SECTIONS} onClose={close} />
        </Suspense>
      )}
      {kind === 'settings' && user && (
        <Suspense>
          <SettingsDialog onClose={close} />
        </Suspense>
      )}
    </AppDialogsContext>
  )
}

function GoToShortcut({ section: { shortcut, pages } }: { section: Section }) {
  const goTo = useGoTo()
  useShortcut({ id: shortcut, onPress: () => goTo({ path: pages[0].path }) })
  return null
}

/** A dialog already, so that what is typed meanwhile presses no shortcut. */
function PaletteFallback() {
  return (
    <div
      role="dialog"
      aria-label="Command palette"
      aria-busy="true"
      className="fixed inset-0 z-50 animate-late bg-scrim"
    />
  )
}
