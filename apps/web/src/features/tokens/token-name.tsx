import { ChevronRightIcon } from 'lucide-react'
import { Badge } from '../../components/ui/badge.tsx'
import { cn } from '../../lib/utils.ts'
import { type AnyToken, nameOf, prefixOf, unusableReason } from './token-texts.ts'

export interface TokenNameProps {
  token: AnyToken
  isOpen: boolean
  panelId: string
  onToggle: () => void
}

export function TokenName({ token, isOpen, panelId, onToggle }: TokenNameProps) {
  const obstacle = unusableReason(token)
  const { lastError, lastUsed, previousUntil } = token
  const hasFailed = lastError !== null && (lastUsed === null || lastError.at >= lastUsed)
  return (
    <div className="flex min-w-0 items-start gap-1">
      <ChevronRightIcon
        aria-hidden
        className={cn('mt-[3px] size-3.5 shrink-0 text-text-3', isOpen && 'rotate-90')}
      />
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={panelId}
            onClick={onToggle}
            className="relative -ml-5 block max-w-[calc(100%+20px)] rounded-tag pl-5 text-left font-medium after:absolute after:inset-x-0 after:-inset-y-1.5 hover:underline pointer-coarse:after:-inset-y-3"
          >
            <span className="block truncate">{nameOf(token)}</span>
          </button>
          {obstacle !== null && <Badge variant="danger">{obstacle}</Badge>}
          {obstacle === null && hasFailed && <Badge variant="danger">last call failed</Badge>}
          {isAhead(previousUntil) && <Badge variant="neutral">old value still works</Badge>}
        </div>
        <p className="truncate text-xs text-text-3">
          <code className="font-mono">{prefixOf(token)}</code>
          {token.tokenType === 'chain' && token.chainLabel !== null && ` · runs ${token.chainLabel}`}
        </p>
      </div>
    </div>
  )
}

function isAhead(time: string | null): boolean {
  return time !== null && Date.parse(time) > Date.now()
}
