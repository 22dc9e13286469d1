import { useAccountDialogs } from '../../features/accounts/account-dialogs-provider.tsx'
import { useAuthGate } from '../../features/accounts/auth-gate.tsx'
import { useUpdateAccount } from '../../features/accounts/own-account.queries.ts'
import { useLogOut } from '../../features/accounts/use-log-out.ts'
import { useAddCategory } from '../../features/library/categories/use-add-category.ts'
import { useTheme } from '../../lib/appearance/theme.ts'
import { useSession } from '../../lib/session/session.tsx'
import { useAppDialogs } from '../dialogs/app-dialogs.ts'
import { useGoTo } from '../use-go-to.ts'
import type { PaletteActions } from './palette-command.ts'

/** What the palette's commands do. */
export function usePaletteActions(): PaletteActions {
  const { user } = useSession()
  const [, setTheme] = useTheme()
  const { mutate: updateAccount } = useUpdateAccount()
  const { logOut } = useLogOut()
  const goTo = useGoTo()
  const { addCategory } = useAddCategory(({ id }) => goTo({ path: '/', params: { category: String(id) } }))
  return {
    goTo,
    guard: useAuthGate(),
    openDialog: useAppDialogs().open,
    openAccountDialog: useAccountDialogs().open,
    chooseTheme: (theme) => {
      setTheme(theme)
      if (user) updateAccount({ theme })
    },
    logOut,
    addCategory,
  }
}
