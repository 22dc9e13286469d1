import { LockIcon } from 'lucide-react'
import { Banner } from '../../components/ui/banner.tsx'

interface ShownFillsProps {
  names: readonly string[]
  place: 'chain' | 'texts'
  act: 'Executing' | 'Running it'
}

/** What of the person's own a run fills into another's text: having been shown is the consent (D69). */
export function ShownFills({ names, place, act }: ShownFillsProps) {
  if (names.length === 0) return null
  const isOne = names.length === 1
  return (
    <Banner role="note" aria-label="Private values" icon={<LockIcon className="self-start" />}>
      <p className="wrap-anywhere">
        Yours, private: <span className="font-medium">{names.join(', ')}</span>. You didn’t add{' '}
        {isOne ? 'this name' : 'these names'} to the {place}. {act} fills in your {isOne ? 'value' : 'values'}
        .
      </p>
    </Banner>
  )
}
