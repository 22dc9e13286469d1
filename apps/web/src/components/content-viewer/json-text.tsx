import { shortenText } from '@catenary/domain'
import { useState } from 'react'
import { cn } from '../../lib/utils.ts'
import type { JsonNode } from '../reader/parse-json.ts'
import { Button } from '../ui/button.tsx'

const TEXT_SHOWN = 2_000

export function JsonText({ node }: { node: Exclude<JsonNode, { kind: 'list' | 'object' }> }) {
  const [isWhole, setIsWhole] = useState(false)
  const { kind, value } = node
  if (kind === 'boolean') return <>{value === 'true' ? 'yes' : 'no'}</>
  if (kind === 'null') return <span className="text-text-3">–</span>
  if (kind === 'text' && value === '') return <span className="text-text-3">empty</span>
  const isClipped = value.length > TEXT_SHOWN && !isWhole
  return (
    <>
      <span
        className={cn('wrap-anywhere whitespace-pre-wrap', kind === 'number' && 'font-medium tabular-nums')}
      >
        {isClipped ? shortenText(value, TEXT_SHOWN) : value}
      </span>
      {isClipped && (
        <Button variant="link" className="ml-2 text-xs" onClick={() => setIsWhole(true)}>
          {(value.length - TEXT_SHOWN).toLocaleString('en')} more characters
        </Button>
      )}
    </>
  )
}
