import type { OwnToken, TokenType } from '@catenary/contracts'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { ChoiceSelect } from '../../../components/ui/choice-select.tsx'
import { KIND_TEXTS, TOKEN_KINDS } from '../token-texts.ts'
import { TokenListItem, type TokenListItemProps } from './token-list-item.tsx'

const ALL = 'all'
const KIND_CHOICES = [
  { value: ALL, label: 'All kinds' },
  ...TOKEN_KINDS.map((kind) => ({ value: kind, label: KIND_TEXTS[kind].name })),
]

export interface TokenListProps extends Pick<TokenListItemProps, 'onEdit' | 'onRotate' | 'onDelete'> {
  tokens: readonly OwnToken[]
  chosenId: number | null
  kind: TokenType | null
  onKind: (kind: TokenType | null) => void
  onChoose: (token: OwnToken) => void
}

export function TokenList({ tokens, chosenId, kind, onKind, onChoose, ...actions }: TokenListProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (chosenId !== null && list.current) show({ list: list.current, id: chosenId })
  }, [chosenId])
  return (
    <section
      aria-labelledby="tokens"
      className="flex max-h-[760px] min-w-0 flex-col rounded-card border border-line bg-surface max-lg:max-h-none"
    >
      <div className="flex min-h-12 items-center gap-2 border-b border-line py-2 pr-2 pl-3.5">
        <h2 id="tokens" className="text-md font-semibold">
          Tokens
        </h2>
        <span className="text-sm text-text-3 tabular-nums">{tokens.length}</span>
        <div className="ml-auto">
          <ChoiceSelect
            choices={KIND_CHOICES}
            value={kind ?? ALL}
            onChange={(value) => onKind(value === ALL ? null : (value as TokenType))}
            trigger={{ 'aria-label': 'Kind', className: 'h-7 border-transparent bg-transparent text-text-2' }}
          />
        </div>
      </div>
      {tokens.length === 0 ? (
        <div className="grid flex-1 content-start justify-items-center gap-2 px-4 py-8 text-center text-sm text-text-2">
          <p>No token of this kind.</p>
          <Button variant="secondary" size="sm" onClick={() => onKind(null)}>
            Show all kinds
          </Button>
        </div>
      ) : (
        <ul
          ref={list}
          aria-labelledby="tokens"
          onKeyDown={moveFocus}
          className="relative min-h-0 flex-1 overflow-y-auto [&>li]:border-b [&>li]:border-line"
        >
          {tokens.map((token) => (
            <TokenListItem
              key={token.id}
              token={token}
              isChosen={token.id === chosenId}
              onChoose={() => onChoose(token)}
              {...actions}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

/** Scrolls the list, and nothing around it, to a token that is out of view. */
function show({ list, id }: { list: HTMLElement; id: number }): void {
  const item = list.querySelector<HTMLElement>(`[data-token-id="${id}"]`)
  if (!item) return
  const { offsetTop: top, offsetHeight: height } = item
  const isSeen = top >= list.scrollTop && top + height <= list.scrollTop + list.clientHeight
  if (!isSeen) list.scrollTop = top - (list.clientHeight - height) / 2
}

const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-token-focus]')]
  const at = buttons.indexOf(event.target as HTMLElement)
  if (at === -1 || event.ctrlKey || event.metaKey || event.altKey) return
  const ends: Partial<Record<string, number>> = { Home: 0, End: buttons.length - 1 }
  const step = STEPS[event.key]
  const next = step === undefined ? ends[event.key] : at + step
  const target = next === undefined ? undefined : buttons[next]
  if (!target) return
  event.preventDefault()
  target.focus()
}
