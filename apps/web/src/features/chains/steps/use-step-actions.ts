import type { Chain, ChainStep } from '@catenary/contracts'
import { stepTitle } from '@catenary/domain'
import { useMemo, useState } from 'react'
import type { OpenItem } from '../../../lib/open-item.ts'
import { toast, toastFailure } from '../../../lib/toast.ts'
import { useDuplicateStep, useReorderSteps } from '../chains.queries.ts'

export interface StepActions {
  open: (step: ChainStep) => void
  /** Shows what would go out, to those who may run it. */
  preview: ((step: ChainStep) => void) | undefined
  remove: (step: ChainStep) => void
  duplicate: (step: ChainStep) => void
  move: (step: ChainStep, to: number) => void
  /** Begins a step for where the condition of this one doesn’t hold. */
  addElse: (step: ChainStep) => void
}

export interface StepActionsOptions {
  chain: Chain
  show: (open: OpenItem) => void
  showElse: (step: ChainStep) => void
  showPreview: (step: ChainStep) => void
}

export function useStepActions({ chain, show, showElse, showPreview }: StepActionsOptions) {
  const [deleting, setDeleting] = useState<ChainStep | null>(null)
  const { mutate: reorder } = useReorderSteps(chain.id)
  const { mutate: copy } = useDuplicateStep()
  const { steps, id: chainId, canExecute } = chain
  const actions = useMemo((): StepActions => {
    const duplicate = (step: ChainStep) =>
      copy(
        { chainId, stepId: step.id },
        {
          onSuccess: () =>
            toast({ title: 'Step added', description: `“${stepTitle(step)}” was duplicated.` }),
          onError: toastFailure('Failed to add step'),
        },
      )
    const move = (step: ChainStep, to: number) => {
      const ids = steps.map(({ id }) => id)
      const from = ids.indexOf(step.id)
      if (from === -1 || to === from || to < 0 || to >= ids.length) return
      const before = [...ids]
      ids.splice(to, 0, ...ids.splice(from, 1))
      const undo = () =>
        reorder(before, {
          onSuccess: () => toast({ title: 'Steps reordered', description: 'The earlier order is back.' }),
          onError: toastFailure('Failed to reorder steps'),
        })
      reorder(ids, {
        onSuccess: () =>
          toast({
            title: 'Steps reordered',
            description: `“${stepTitle(step)}” is now step ${to + 1} of ${ids.length}.`,
            action: { label: 'Undo', onPress: undo },
          }),
        onError: toastFailure('Failed to reorder steps'),
      })
    }
    return {
      open: ({ id }) => show({ kind: 'open', id }),
      preview: canExecute ? (step) => showPreview(step) : undefined,
      remove: setDeleting,
      duplicate,
      move,
      addElse: showElse,
    }
  }, [steps, chainId, canExecute, show, showElse, showPreview, copy, reorder])
  return { actions, deleting, closeDeleting: () => setDeleting(null) }
}
