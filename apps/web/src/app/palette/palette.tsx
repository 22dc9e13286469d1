import type { BulkReply } from '@catenary/contracts'
import { flushSync } from 'react-dom'
import { Dialog, DialogContent, DialogTitle } from '../../components/ui/dialog.tsx'
import { useAccountDialogs } from '../../features/accounts/account-dialogs-provider.tsx'
import { useAuthGate } from '../../features/accounts/auth-gate.tsx'
import { useUpdateAccount } from '../../features/accounts/own-account.queries.ts'
import { useLogOut } from '../../features/accounts/use-log-out.ts'
import { useAddCategory } from '../../features/library/categories/use-add-category.ts'
import { useBulkPrompts } from '../../features/records/selection/bulk.queries.ts'
import { useTheme } from '../../lib/appearance/theme.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import { useAppDialogs } from '../dialogs/app-dialogs.ts'
import { useGoTo } from '../use-go-to.ts'
import type { PaletteActions } from './palette-command.ts'
import { PaletteSearchList } from './palette-search-list.tsx'

export interface PaletteProps {
  open: boolean
  onClose: () => void
}

/** Finds, runs and creates by name. It stays mounted, so that what it started can end. */
export default function Palette({ open, onClose }: PaletteProps) {
  const actions = usePaletteActions()
  return (
    <Dialog open={open} onOpenChange={(open) => open || onClose()}>
      <DialogContent className="top-[min(130px,15dvh)] mt-0 max-h-[min(500px,80dvh)] max-w-[600px] data-[state=closed]:animate-none max-md:top-3">
        <DialogTitle className="sr-only">Command palette</DialogTitle>
        <PaletteSearchList
          actions={actions}
          onClose={onClose}
          onChoose={(run) => {
            // At once: keys that are pressed next are for what it opens. A dialog of its own would hold the focus.
            flushSync(onClose)
            run()
          }}
        />
      </DialogContent>
    </Dialog>
  )
}

function usePaletteActions(): PaletteActions {
  const { user } = useSession()
  const [, setTheme] = useTheme()
  const { mutate: updateAccount } = useUpdateAccount()
  const { logOut } = useLogOut()
  const goTo = useGoTo()
  const { mutateAsync: changePrompts } = useBulkPrompts()
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
    moveTo: ({ prompt: { id, title, categoryId }, category }) => {
      const move = (to: number) => changePrompts([{ action: 'move', categoryId: to, ids: [id] }])
      const onMoved = ({ failed }: BulkReply) => {
        if (failed[0]) {
          toast({ title: 'Error', description: failed[0].error, variant: 'destructive' })
          return
        }
        toast({
          title: 'Prompt moved',
          description: `“${title}” is now in ${category.name}.`,
          action: { label: 'Undo', onPress: () => void move(categoryId).catch(() => undefined) },
        })
      }
      // The query client tells of a failure.
      void move(category.id).then(onMoved, () => undefined)
    },
  }
}
