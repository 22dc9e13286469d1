import { type ReactNode, useId, useState } from 'react'
import { TableCell, TableRow } from '../../components/ui/table.tsx'
import { TokenActions, type TokenActionsProps } from './token-actions.tsx'
import type { TokenColumn } from './token-columns.tsx'
import { TokenDetails } from './token-details.tsx'
import { TokenName } from './token-name.tsx'
import type { AnyToken } from './token-texts.ts'

export interface TokenRowProps<Token extends AnyToken> extends TokenActionsProps {
  token: Token
  columns: readonly TokenColumn<Token>[]
  below: ReactNode
  children: ReactNode
}

export function TokenRow<Token extends AnyToken>(props: TokenRowProps<Token>) {
  const { token, columns, below, children, ...actions } = props
  const [isOpen, setIsOpen] = useState(false)
  const panelId = useId()
  return (
    <>
      <TableRow data-token-id={token.id} className="hover:bg-hover/60">
        <TableCell className="py-2">
          <TokenName token={token} isOpen={isOpen} panelId={panelId} onToggle={() => setIsOpen(!isOpen)} />
          {below}
        </TableCell>
        {columns.map(({ name, cell, show }) => (
          <TableCell key={name} className={cell}>
            {show(token)}
          </TableCell>
        ))}
        <TableCell className="pr-2 pl-1">
          <TokenActions token={token} {...actions} />
        </TableCell>
      </TableRow>
      <tr id={panelId} hidden={!isOpen} className="border-t-0!">
        <td colSpan={columns.length + 2} className="bg-inset px-3.5 py-3.5">
          {isOpen && <TokenDetails token={token}>{children}</TokenDetails>}
        </td>
      </tr>
    </>
  )
}
