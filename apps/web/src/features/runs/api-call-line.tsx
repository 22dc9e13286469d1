import type { ChainRunSummary } from '@catenary/contracts'
import { Badge } from '../../components/ui/badge.tsx'

export function ApiCallLine({ apiCall }: Pick<ChainRunSummary, 'apiCall'>) {
  if (!apiCall) return null
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-text-3">
      <code className="font-mono">POST {apiCall.path}</code>
      {apiCall.ignored.length > 0 && (
        <Badge
          variant="out"
          className="h-auto max-w-full py-0.5 leading-tight whitespace-normal wrap-anywhere"
        >
          ignored: {apiCall.ignored.join(', ')}
        </Badge>
      )}
    </p>
  )
}
