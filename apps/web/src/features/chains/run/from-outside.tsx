import { GlobeIcon } from 'lucide-react'
import { Badge } from '../../../components/ui/badge.tsx'
import { PressHint } from '../../../components/ui/tooltip.tsx'

const NAMED_MAX = 8

/** Of a step, that it takes in what nobody here wrote: an API’s text or a caller’s, if only by way of an earlier answer. */
export function FromOutside({ names }: { names: readonly string[] | undefined }) {
  if (names === undefined || names.length === 0) return null
  return (
    <PressHint text={outsideText(names)}>
      <button
        type="button"
        className="-my-0.5 flex rounded-tag py-0.5 pointer-coarse:-my-3 pointer-coarse:py-3"
      >
        <Badge className="text-text-3">
          <GlobeIcon />
          from outside
        </Badge>
      </button>
    </PressHint>
  )
}

function outsideText(names: readonly string[]): string {
  const more = names.length - NAMED_MAX
  const named = [...names.slice(0, NAMED_MAX), ...(more > 0 ? [`${more} more`] : [])].join(', ')
  return `${named}: from an API or a caller, directly or through an earlier step. Such text may contain instructions that nobody here wrote.`
}
