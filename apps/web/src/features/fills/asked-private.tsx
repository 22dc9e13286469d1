import type { AskedFill, Fill, KeptSend } from '@catenary/contracts'
import { LockIcon } from 'lucide-react'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import { toFill } from './fills-field.tsx'
import { toKeptSend } from './kept-sends-field.tsx'
import { SEND_VERBS, sendText, type UnsentSend } from './send-text.ts'

/** What runs may do with their person's private values, and what the texts ask for by now. */
interface KeptConsent {
  fills: readonly Fill[]
  asksToFill: readonly AskedFill[]
  sends: readonly KeptSend[]
  asksToSend: readonly UnsentSend[]
}

export interface AskedPrivateProps {
  /** Of the schedule or token. */
  name: string
  kept: KeptConsent
  isPending: boolean
  onAllow: (consent: { fills?: Fill[]; sends?: KeptSend[] }) => void
}

/** What came into the texts since: their person allows it, in one press (D69, D89). */
export function AskedPrivate({ name, kept, isPending, onAllow }: AskedPrivateProps) {
  const { fills, asksToFill, sends, asksToSend } = kept
  if (asksToFill.length + asksToSend.length === 0) return null
  const allow = () =>
    onAllow({
      ...(asksToFill.length > 0 && { fills: [...fills, ...asksToFill].map(toFill) }),
      ...(asksToSend.length > 0 && { sends: [...sends, ...asksToSend].map(toKeptSend) }),
    })
  return (
    <Banner role="note" aria-label="Private values" icon={<LockIcon className="self-start" />}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <ul className="grid min-w-0 gap-1">
          {asksToFill.map((one) => (
            <li key={`${one.kind}.${one.id}.${one.name}`} className="wrap-anywhere">
              Not filled in: <span className="font-medium">{one.name}</span> in “{one.title}”
              {one.by === null ? ', which came with a copy.' : `, brought in by ${one.by}.`}
            </li>
          ))}
          {asksToSend.map((one) => (
            <li key={`${one.chainId}.${one.position}.${one.destination}`} className="wrap-anywhere">
              Runs stop at “<bdi>{one.title}</bdi>”: it would {SEND_VERBS[one.kind]} your private values to{' '}
              <span className="font-medium">{sendText(one)}</span>.
            </li>
          ))}
        </ul>
        <Button size="sm" pending={isPending} aria-label={`Allow private values in ${name}`} onClick={allow}>
          Allow
        </Button>
      </div>
    </Banner>
  )
}
