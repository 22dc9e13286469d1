import type { ChainStep } from '@catenary/contracts'
import { useCallback } from 'react'
import { idIn, useAddress } from '../../../lib/address.ts'
import { type OpenItem, useOpenItem } from '../../../lib/open-item.ts'

const ELSE = 'else'
const PREVIEW = 'preview'
const VALUES_OF = 'values-of'

export interface OpenStep {
  open: OpenItem
  /** The step that the new one is for where its condition doesn’t hold. */
  elseOf: ChainStep | undefined
  show: (open: OpenItem) => void
  showElse: (step: ChainStep) => void
  /** The step of which is shown what would go out. */
  previewed: ChainStep | undefined
  /** The run with whose values; undefined: as the server chooses. */
  valuesOf: number | undefined
  showPreview: (step: ChainStep | null, valuesOf?: number) => void
}

/** The step whose form is open, by the address. */
export function useOpenStep(steps: readonly ChainStep[]): OpenStep {
  const [params, change] = useAddress()
  const { open } = useOpenItem('step')
  const id = idIn(params.get(ELSE))
  const show = useCallback(
    (next: OpenItem) => change({ step: next?.kind === 'create' ? 'new' : (next?.id ?? null), [ELSE]: null }),
    [change],
  )
  const showElse = useCallback(({ id }: ChainStep) => change({ step: 'new', [ELSE]: id }), [change])
  const previewId = idIn(params.get(PREVIEW))
  const showPreview = useCallback(
    (step: ChainStep | null, valuesOf?: number) =>
      change(
        { [PREVIEW]: step?.id ?? null, [VALUES_OF]: valuesOf ?? null },
        { replace: valuesOf !== undefined },
      ),
    [change],
  )
  return {
    open,
    elseOf: steps.find((step) => step.id === id && step.onlyIf),
    show,
    showElse,
    previewed: steps.find((step) => step.id === previewId),
    valuesOf: idIn(params.get(VALUES_OF)) ?? undefined,
    showPreview,
  }
}
