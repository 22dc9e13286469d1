import type { User } from '@catenary/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { DialogSuspense } from '../../components/dialog-suspense.tsx'
import { part } from '../../components/part.tsx'
import { readUser, sessionQuery } from '../../lib/session/session.tsx'
import { onSessionEnd } from '../../lib/session/session-end.ts'
import type { AccountDialogKind } from './account-dialogs.tsx'

const AccountDialogs = part(() => import('./account-dialogs.tsx'))

interface AccountDialogsControl {
  open: (kind: AccountDialogKind) => void
}

export const AccountDialogsContext = createContext<AccountDialogsControl>({ open: () => undefined })

export function useAccountDialogs(): AccountDialogsControl {
  return useContext(AccountDialogsContext)
}

export function AccountDialogsProvider({ children }: { children: ReactNode }) {
  const [kind, setKind] = useState<AccountDialogKind | null>(null)
  const { returning, giveUp } = useReturning()
  const control = useMemo(() => ({ open: setKind }), [])
  const shown = returning ? 'login' : kind
  return (
    <AccountDialogsContext value={control}>
      {children}
      {shown && (
        <DialogSuspense>
          <AccountDialogs
            key={shown}
            kind={shown}
            onChange={setKind}
            onClose={returning ? giveUp : () => setKind(null)}
            returning={returning ?? undefined}
          />
        </DialogSuspense>
      )}
    </AccountDialogsContext>
  )
}

function useReturning() {
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState<{ user: User; answer: (isBack: boolean) => void } | null>(null)
  useEffect(
    () =>
      onSessionEnd(async () => {
        const user = queryClient.getQueryData(sessionQuery.queryKey)
        if (!user) return false
        const now = await readUser().catch(() => null)
        if (now?.id === user.id) return true
        // Someone else logged in, in another tab.
        if (now) {
          window.location.assign('/')
          return new Promise(() => undefined)
        }
        return new Promise((answer) => setAsked({ user, answer }))
      }),
    [queryClient],
  )
  const end = (isBack: boolean) => {
    setAsked(null)
    asked?.answer(isBack)
  }
  return {
    returning: asked && { user: asked.user, onBack: () => end(true) },
    giveUp: () => end(false),
  }
}
