import { type Chain, type ChainStep, hasSealedPart, type SealedStep } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../../../../lib/session/session.tsx'
import { sealedStepQuery } from '../sealed.queries.ts'

export interface Sealing {
  /** Whose the chain is; null: the person’s own, who alone sets sealed values. */
  owner: string | null
  hasValue: (kind: SealedStep['parts'][number]['kind'], name: string) => boolean
}

/** Who may set the sealed values of a step, and which of them are set. */
export function useSealing({ chain, step }: { chain: Chain; step: ChainStep | null }): Sealing {
  const { user } = useSession()
  const stored = step !== null && hasSealedPart(step.tool) ? step : null
  const { data } = useQuery({
    ...sealedStepQuery({ chainId: chain.id, stepId: stored?.id ?? 0 }),
    enabled: stored !== null,
  })
  const isSame = (a: string, b: string) => a.toLowerCase() === b.trim().toLowerCase()
  return {
    owner: user?.username === chain.owner ? null : chain.owner,
    hasValue: (kind, name) =>
      data?.parts.some((part) => part.kind === kind && isSame(part.name, name) && part.setAt !== null) ??
      false,
  }
}
