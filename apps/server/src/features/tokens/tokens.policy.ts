import type { TokenType, User } from '@catenary/contracts'

interface Subject {
  createdBy: number
  kind: TokenType
}

/** Its calls run as its creator and spend their money: only they copy, change or rotate it. */
export function canManageToken(user: User, token: Subject): boolean {
  return token.createdBy === user.id
}

/** Its creator; editors of a chain may delete any of its tokens. */
export function canDeleteToken(user: User, token: Subject, { editsChain }: { editsChain: boolean }): boolean {
  return token.createdBy === user.id || (isOfOneChain(token.kind) && editsChain)
}

/** It ends with its chain, and who edits that may end it. */
export const isOfOneChain = (kind: TokenType): boolean => kind === 'chain' || kind === 'hook'
