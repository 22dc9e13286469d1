import type { TokenType, User } from '@catenary/contracts'

interface Subject {
  createdBy: number
  kind: TokenType
}

/** Its calls run as its creator and spend their money: nobody else copies, changes or renews it. */
export function canManageToken(user: User, token: Subject): boolean {
  return token.createdBy === user.id
}

/** Its creator; and who may edit a chain ends any token of it. */
export function canDeleteToken(user: User, token: Subject, { editsChain }: { editsChain: boolean }): boolean {
  return token.createdBy === user.id || (token.kind === 'chain' && editsChain)
}
