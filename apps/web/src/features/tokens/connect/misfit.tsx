import type { OwnToken, TokenType } from '@catenary/contracts'
import type { ConnectClientName } from '@catenary/domain'
import { PlusIcon } from 'lucide-react'
import { Button } from '../../../components/ui/button.tsx'
import { KIND_TEXTS, nameOf } from '../token-texts.ts'
import { kindsFor } from './connect-texts.ts'

const OFFERED_MAX = 4

export interface MisfitProps {
  client: ConnectClientName
  token: OwnToken | null
  tokens: readonly OwnToken[]
  onChoose: (token: OwnToken) => void
  onCreate: (kind: TokenType) => void
}

export function Misfit({ client, token, tokens, onChoose, onCreate }: MisfitProps) {
  const kinds = kindsFor(client)
  const fitting = tokens
    .filter(({ tokenType }) => kinds.some((kind) => kind === tokenType))
    .slice(0, OFFERED_MAX)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-3 rounded-control border border-dashed border-line-strong px-4 py-4">
      <div className="grid gap-0.5 text-sm">
        <p>
          {client} comes with {inWords(kinds)} token
          {token && (
            <>
              , and “{nameOf(token)}” is {articleOf(token.tokenType)} {KIND_TEXTS[token.tokenType].name} token
            </>
          )}
          .
        </p>
        {kinds.map((kind) => (
          <p key={kind} className="text-text-3">
            {KIND_TEXTS[kind].name}: {KIND_TEXTS[kind].purpose}
          </p>
        ))}
      </div>
      <div className="flex max-w-full flex-wrap gap-2">
        {fitting.map((one) => (
          <Button
            key={one.id}
            variant="secondary"
            size="sm"
            className="max-w-full"
            onClick={() => onChoose(one)}
          >
            <span className="truncate">Use {nameOf(one)}</span>
          </Button>
        ))}
        {kinds.map((kind) => (
          <Button
            key={kind}
            variant={fitting.length > 0 ? 'ghost' : 'secondary'}
            size="sm"
            onClick={() => onCreate(kind)}
          >
            <PlusIcon />
            {KIND_TEXTS[kind].name} token
          </Button>
        ))}
      </div>
    </div>
  )
}

function inWords(kinds: readonly TokenType[]): string {
  const [last = '', ...others] = kinds
    .map((kind) => `${articleOf(kind)} ${KIND_TEXTS[kind].name}`)
    .toReversed()
  return others.length === 0 ? last : `${others.toReversed().join(', ')} or ${last}`
}

const articleOf = (kind: TokenType): string => (kind === 'mcp' ? 'an' : 'a')
