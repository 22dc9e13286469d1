import { accounts } from '../../database/schema/index.ts'
import { sealedColumn } from '../../database/statements/sealed-columns.ts'
import { contextOf, type Tokens } from './drive-tokens.ts'

const ofColumn = (what: string, name: keyof Tokens) =>
  sealedColumn({
    what,
    id: accounts.id,
    column: accounts[name],
    beside: { userId: accounts.userId },
    contextOf: ({ userId }) => contextOf(userId, name),
  })

export const sealedDriveTokens = [
  ofColumn('access tokens of Google', 'accessToken'),
  ofColumn('refresh tokens of Google', 'refreshToken'),
]
