import { errorReason } from '../../lib/errors.ts'
import { reloadWithToast } from '../../lib/reload.ts'
import { forgetOnLeaving } from '../../lib/session/private-traces.ts'
import { toastFailure } from '../../lib/toast.ts'
import { useLogout } from './accounts.queries.ts'

export function useLogOut() {
  const { mutate, isPending } = useLogout()
  const logOut = () =>
    mutate(undefined, {
      onError: toastFailure('Logout failed', errorReason),
      onSuccess: () => {
        forgetOnLeaving()
        reloadWithToast({
          message: { title: 'Logged out', description: 'You have been successfully logged out.' },
        })
      },
    })
  return { logOut, isPending }
}
