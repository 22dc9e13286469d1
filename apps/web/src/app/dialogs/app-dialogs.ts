import { createContext, useContext } from 'react'

export type AppDialogKind = 'palette' | 'shortcuts' | 'settings'

export interface AppDialogsControl {
  open: (kind: AppDialogKind) => void
  preloadPalette: () => void
}

export const AppDialogsContext = createContext<AppDialogsControl>({
  open: () => undefined,
  preloadPalette: () => undefined,
})

/** Opens the palette, the list of shortcuts and Admin Settings from anywhere in the app. */
export function useAppDialogs(): AppDialogsControl {
  return useContext(AppDialogsContext)
}
