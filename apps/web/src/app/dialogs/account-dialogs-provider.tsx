import { createContext, lazy, type ReactNode, useContext, useMemo, useState } from 'react'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import type { AccountDialogKind } from '../../features/accounts/account-dialogs.tsx'
import { AuthGateProvider } from '../../lib/auth-gate.tsx'

const AccountDialogs = lazy(async () => ({
  default: (await import('../../features/accounts/account-dialogs.tsx')).AccountDialogs,
}))

interface AccountDialogsControl {
  open: (kind: AccountDialogKind) => void
}

const AccountDialogsContext = createContext<AccountDialogsControl>({ open: () => undefined })

/** Opens the dialogs about the person's account from anywhere in the app. */
export function useAccountDialogs(): AccountDialogsControl {
  return useContext(AccountDialogsContext)
}

/** Holds the one account dialog that may be open. */
export function AccountDialogsProvider({ children }: { children: ReactNode }) {
  const [kind, setKind] = useState<AccountDialogKind | null>(null)
  const control = useMemo(() => ({ open: setKind, require: () => setKind('required') }), [])
  return (
    <AccountDialogsContext value={control}>
      <AuthGateProvider onRequired={control.require}>{children}</AuthGateProvider>
      {kind && (
        <DialogSuspense>
          <AccountDialogs key={kind} kind={kind} onChange={setKind} />
        </DialogSuspense>
      )}
    </AccountDialogsContext>
  )
}
