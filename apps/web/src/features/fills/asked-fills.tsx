import type { AskedFill, Fill } from '@catenary/contracts'
import { LockIcon } from 'lucide-react'
import { Banner } from '../../components/ui/banner.tsx'
import { Button } from '../../components/ui/button.tsx'
import { toFill } from './fills-field.tsx'

export interface AskedFillsProps {
  fills: readonly Fill[]
  asked: readonly AskedFill[]
  isPending: boolean
  onAllow: (fills: Fill[]) => void
}

/** Names that came into the texts since: they are not filled in until their person allows it, in one press (D69). */
export function AskedFills({ fills, asked, isPending, onAllow }: AskedFillsProps) {
  if (asked.length === 0) return null
  return (
    <Banner role="note" aria-label="Private values" icon={<LockIcon className="self-start" />}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <ul className="grid min-w-0 gap-1">
          {asked.map((one) => (
            <li key={`${one.kind}.${one.id}.${one.name}`} className="wrap-anywhere">
              Not filled in: <span className="font-medium">{one.name}</span> in “{one.title}”
              {one.by === null ? ', which came with a copy.' : `, brought in by ${one.by}.`}
            </li>
          ))}
        </ul>
        <Button size="sm" pending={isPending} onClick={() => onAllow([...fills, ...asked].map(toFill))}>
          Allow
        </Button>
      </div>
    </Banner>
  )
}
