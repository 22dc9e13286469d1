import { TOKEN_TEXTS } from '@catenary/contracts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { toast } from '../../lib/toast.ts'
import { type NamedToken, nameOf } from './token-texts.ts'
import { useDeleteToken } from './tokens.queries.ts'

export function DeleteTokenDialog({ token, onClose }: { token: NamedToken; onClose: () => void }) {
  const { mutate, isPending } = useDeleteToken()
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Delete “${nameOf(token)}”?`}
      description={
        <>
          <span className="block">{TOKEN_TEXTS.deleteQuestion}</span>
          <span className="mt-2 block">
            Programs that use it will be refused. Their runs stay in the history and in Usage.
          </span>
        </>
      }
      pending={isPending}
      onConfirm={() =>
        mutate(token, {
          onSuccess: () =>
            toast({ title: TOKEN_TEXTS.deleted, description: `“${nameOf(token)}” no longer works.` }),
          onError: (error) =>
            toast({
              title: TOKEN_TEXTS.errorDeleting,
              description: errorMessage(error),
              variant: 'destructive',
            }),
          onSettled: onClose,
        })
      }
    />
  )
}
