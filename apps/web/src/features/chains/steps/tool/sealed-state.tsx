import { type Chain, type ChainStep, hasSealedPart, type SealedStep } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import { KeyRoundIcon, ShieldAlertIcon, TriangleAlertIcon } from 'lucide-react'
import { part } from '../../../../components/part.tsx'
import { Badge } from '../../../../components/ui/badge.tsx'
import { Banner } from '../../../../components/ui/banner.tsx'
import { useSession } from '../../../../lib/session/session.tsx'
import { sealedStepQuery } from './sealed.queries.ts'

interface SealedProps {
  chain: Pick<Chain, 'id' | 'owner' | 'revision'>
  step: ChainStep
}

/** With the forms, which know how a call is told apart from another. */
const RestingCall = part(() => import('./resting-call.tsx'))

/** Whose credential goes out with a call. */
export function ActsAsBadge({ chain, step }: SealedProps) {
  const { user } = useSession()
  if (!hasSealedPart(step.tool)) return null
  const whose = user?.username === chain.owner ? 'your' : `${chain.owner}’s`
  return (
    <Badge className="max-w-full min-w-0 shrink">
      <KeyRoundIcon />
      <span className="truncate leading-normal">Acts with {whose} credential</span>
    </Badge>
  )
}

/** What keeps a call with sealed parts from going out, and what its owner can do. */
export function SealedState({ chain, step }: SealedProps) {
  const { user } = useSession()
  const { data: sealed } = useQuery({
    ...sealedStepQuery({ chainId: chain.id, stepId: step.id }),
    enabled: user !== null && hasSealedPart(step.tool),
  })
  if (sealed === undefined || !hasSealedPart(step.tool)) return null
  const isOwner = user?.username === sealed.owner
  const missing = sealed.parts.filter(({ setAt }) => setAt === null)
  return (
    <>
      {missing.length > 0 && (
        <Banner role="note" icon={<TriangleAlertIcon />}>
          {missing.map(nameOf).join(', ')} {missing.length === 1 ? 'has' : 'have'} no value, and runs fail
          until {isOwner ? 'you set it in the step' : `${sealed.owner} sets it`}.
        </Banner>
      )}
      {sealed.rests && !sealed.allowed && (
        <Banner role="note" icon={<ShieldAlertIcon />}>
          This call was changed. Runs fail at this step until {sealed.owner} allows it.
        </Banner>
      )}
      {sealed.allowed && <RestingCall chain={chain} step={step} allowed={sealed.allowed} />}
    </>
  )
}

const WORDS = { url: 'The address', header: 'Header', query: 'Parameter' } as const

const nameOf = ({ kind, name }: SealedStep['parts'][number]): string =>
  kind === 'url' ? WORDS.url : `${WORDS[kind]} ${name}`
