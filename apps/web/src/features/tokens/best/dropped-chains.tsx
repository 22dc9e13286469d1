import type { BestToken } from '@catenary/contracts'
import { Button } from '../../../components/ui/button.tsx'
import { errorMessage } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { useAcceptOffers } from '../offers/offers.queries.ts'
import { useUpdateToken } from '../tokens.queries.ts'

/** Others' chains that the token could choose before they had to be accepted. */
export function DroppedChains({ token: { id, droppedChains } }: { token: BestToken }) {
  const accept = useAcceptOffers('chain')
  const dismiss = useUpdateToken()
  const onError = (error: unknown) =>
    toast({ title: 'Error changing chains', description: errorMessage(error), variant: 'destructive' })
  const names = NAMES.format(droppedChains.map(({ name }) => `“${name}”`))
  return (
    <div className="grid gap-2.5 rounded-control border border-warn/40 bg-warn-soft p-3 text-sm">
      <p className="max-h-24 overflow-y-auto wrap-anywhere">
        Chains of others are only chosen once you accept them. This token never ran {names}, so it does not
        choose {droppedChains.length === 1 ? 'it' : 'them'} any more.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="secondary"
          size="sm"
          pending={accept.isPending}
          onClick={() =>
            accept.mutate(
              droppedChains.map((chain) => chain.id),
              { onError },
            )
          }
        >
          {droppedChains.length === 1 ? 'Accept it' : `Accept all ${droppedChains.length}`}
        </Button>
        <Button
          variant="ghost"
          size="sm"
          className="text-text"
          pending={dismiss.isPending}
          onClick={() =>
            dismiss.mutate({ id, tokenType: 'best', body: { dismissesDropped: true } }, { onError })
          }
        >
          Dismiss
        </Button>
      </div>
    </div>
  )
}

const NAMES = new Intl.ListFormat('en')
