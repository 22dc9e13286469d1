import { type ChainToken, TOKEN_TEXTS, type TokenType } from '@catenary/contracts'
import { PlusIcon } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { FoldArrow } from '../../components/fold-arrow.tsx'
import { Badge } from '../../components/ui/badge.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { TableBody, TableCell, TableHead, TableHeader, TableRow } from '../../components/ui/table.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { type FoldState, useFold } from '../../lib/use-fold.ts'
import type { TokenStart } from './form/token-form.ts'
import { TokenActions, type TokenActionsProps } from './token-actions.tsx'
import type { TokenColumn } from './token-columns.tsx'
import { TokenDetails } from './token-details.tsx'
import { TokenRuns } from './token-runs.tsx'
import { type AnyToken, nameOf, prefixOf, unusableReason } from './token-texts.ts'
import { useTokenDialogs } from './use-token-dialogs.tsx'

interface TokenStatesProps {
  tokens: readonly unknown[] | undefined
  error: unknown
  onRetry: () => void
  empty: ReactNode
  children: ReactNode
}

interface RowShape<Token extends AnyToken> {
  columns: readonly TokenColumn<Token>[]
  /** What a narrow list has below the name, instead of its columns. */
  below: (token: Token) => ReactNode
  /** What an opened row has above its runs. */
  above?: ((token: Token) => ReactNode) | undefined
}

/** Opens the form of a new token of a kind, and that of one that is there. */
interface TokenForms {
  create: (kind: TokenType) => void
  edit: (token: { id: number }) => void
}

export interface TokenSectionProps<Token extends AnyToken>
  extends Omit<TokenStatesProps, 'children'>,
    RowShape<Token> {
  children: ReactNode | ((forms: TokenForms) => ReactNode)
  id: string
  title: string
  note?: ReactNode
  notice?: ReactNode
  tokens: readonly Token[] | undefined
  /** What a new token's form begins with. */
  start: TokenStart
  /** Why nobody may make or change one here. */
  refusal: string | undefined
}

/** The tokens of a page, a row each that opens, with the dialogs that make and change them. */
export function TokenSection<Token extends AnyToken>(props: TokenSectionProps<Token>) {
  const { id, title, note, notice, tokens, start, refusal, children, ...rest } = props
  const { columns, below, above, ...states } = rest
  const headingId = useId()
  const canManage = refusal === undefined
  const { create, edit, rotate, remove, dialogs } = useTokenDialogs({ tokens, canManage, start })
  return (
    <section id={id} aria-labelledby={headingId} className="relative grid min-w-0 scroll-mt-4 gap-3">
      <div className="@container min-w-0 rounded-card border border-line bg-surface">
        <div className="flex min-h-12 flex-wrap items-center gap-x-2 py-2 pr-2.5 pl-3.5">
          <h2 id={headingId} className="text-md font-semibold">
            {title}
          </h2>
          {note}
          <Button
            variant="secondary"
            size="sm"
            className="ml-auto"
            title={refusal}
            aria-disabled={!canManage || undefined}
            onClick={() => canManage && create()}
          >
            <PlusIcon />
            Create Token
          </Button>
        </div>
        {notice}
        <div className="border-t border-line">
          <TokenStates tokens={tokens} {...states}>
            <table
              aria-labelledby={headingId}
              className="w-full table-fixed border-collapse text-left text-sm"
            >
              <TableHeader>
                <tr>
                  <TableHead>Name</TableHead>
                  {columns.map(({ name, head }) => (
                    <TableHead key={name} className={head}>
                      <span>{name}</span>
                    </TableHead>
                  ))}
                  <TableHead className="w-[140px] @max-lg:w-[76px] pointer-coarse:@max-lg:w-[104px]">
                    <span className="sr-only">Actions</span>
                  </TableHead>
                </tr>
              </TableHeader>
              <TableBody>
                {tokens?.map((token) => (
                  <TokenRow
                    key={token.id}
                    token={token}
                    columns={columns}
                    below={below}
                    above={above}
                    canManage={canManage}
                    onEdit={() => edit(token)}
                    onRotate={() => rotate(token)}
                    onDelete={() => remove(token)}
                  />
                ))}
              </TableBody>
            </table>
          </TokenStates>
        </div>
      </div>
      {typeof children === 'function' ? children({ create, edit }) : children}
      {dialogs}
    </section>
  )
}

function TokenStates({ tokens, error, onRetry, empty, children }: TokenStatesProps) {
  if (tokens) return tokens.length > 0 ? children : <div className="px-4 py-7 text-center">{empty}</div>
  if (!error) {
    return (
      <div role="status" className="grid gap-2 px-4 py-4">
        <span className="sr-only">Loading API tokens</span>
        <Skeleton className="h-8" />
        <Skeleton className="h-8" />
      </div>
    )
  }
  return (
    <div role="alert" className="grid justify-items-center gap-2 px-4 py-6 text-center text-sm">
      <p className="font-medium text-danger">{TOKEN_TEXTS.loadFailed}</p>
      <p className="text-text-2 wrap-anywhere">{errorMessage(error)}</p>
      <Button variant="secondary" size="sm" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}

interface TokenRowProps<Token extends AnyToken> extends TokenActionsProps, RowShape<Token> {
  token: Token
}

function TokenRow<Token extends AnyToken>(props: TokenRowProps<Token>) {
  const { token, columns, below, above, ...actions } = props
  const fold = useFold()
  return (
    <>
      <TableRow data-token-id={token.id} className="hover:bg-hover/60">
        <TableCell className="py-2">
          <TokenName token={token} fold={fold} />
          {below(token)}
        </TableCell>
        {columns.map(({ name, cell, show }) => (
          <TableCell key={name} className={cell}>
            {show(token)}
          </TableCell>
        ))}
        <TableCell className="pr-2 pl-1">
          <TokenActions {...actions} token={token} />
        </TableCell>
      </TableRow>
      <tr {...fold.panel} className="border-t-0!">
        <td colSpan={columns.length + 2} className="bg-inset px-3.5 py-3.5">
          {fold.isOpen && (
            <TokenDetails token={token}>
              {above?.(token)}
              <TokenRuns token={token} />
            </TokenDetails>
          )}
        </td>
      </tr>
    </>
  )
}

interface TokenNameProps {
  token: AnyToken
  fold: FoldState
}

function TokenName({ token, fold: { isOpen, button } }: TokenNameProps) {
  const obstacle = unusableReason(token)
  const { lastError, lastUsed, previousUntil } = token
  const hasFailed = lastError !== null && (lastUsed === null || lastError.at >= lastUsed)
  return (
    <div className="flex min-w-0 items-start gap-1">
      <FoldArrow isOpen={isOpen} className="mt-[3px]" />
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <button
            type="button"
            {...button}
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
          {token.tokenType === 'hook' && ' · own address'}
          {hasLabel(token) && ` · runs ${token.chainLabel}`}
        </p>
      </div>
    </div>
  )
}

function isAhead(time: string | null): boolean {
  return time !== null && Date.parse(time) > Date.now()
}

const hasLabel = (token: AnyToken): token is ChainToken =>
  (token.tokenType === 'chain' || token.tokenType === 'hook') && token.chainLabel !== null
