import { errorReason } from '../../lib/errors.ts'
import { forgetInputs } from '../../lib/forms/session-inputs.ts'
import { reloadWithToast } from '../../lib/reload.ts'
import { toast } from '../../lib/toast.ts'
import { useLogout } from './accounts.queries.ts'

export function useLogOut() {
  const { mutate, isPending } = useLogout()
  const logOut = () =>
    mutate(undefined, {
      onError: (error) =>
        toast({ title: 'Logout failed', description: errorReason(error), variant: 'destructive' }),
      onSuccess: () => {
        forgetInputs()
        reloadWithToast({
          message: { title: 'Logged out', description: 'You have been successfully logged out.' },
        })
      },
    })
  return { logOut, isPending }
}
